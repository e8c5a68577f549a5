set local citus.multi_shard_modify_mode = 'sequential';--> statement-breakpoint
-- As before. The root locale lowers plain ASCII as "C" does, which takes a third of the time.
create or replace function fold(text) returns text
  language sql immutable parallel safe
  as $$
    select case when octet_length($1) = char_length($1) then lower($1 collate "C") collate "und-x-icu"
      else lower(public.unaccent('public.unaccent'::regdictionary, normalize($1, NFC)) collate "und-x-icu") end
  $$;--> statement-breakpoint
create or replace function product_search_code(text) returns text
  language sql immutable parallel safe
  as $$ select left(btrim(fold($1)), 255) $$;--> statement-breakpoint
-- As before, with all codes folded at once.
create or replace function product_search_codes(codes text) returns tsvector
  language plpgsql immutable parallel safe
  as $$
    declare
      kept text := fold(left(codes, 65536));
    begin
      return array_to_tsvector(
        array(select '=' || left(btrim(code), 255) from string_to_table(kept, chr(10)) as code)
        || array(select case when word ~ '[0-9]' then '+' || word else word end from unnest(tsvector_to_array(product_search_words(kept))) as word));
    end
  $$;--> statement-breakpoint
drop function product_search_document(text, text, text, uuid[]);--> statement-breakpoint
-- `records` is the part of the document that says which brand and tags the product has.
create function product_search_document(name text, description text, codes text, records text) returns tsvector
  language plpgsql immutable parallel safe
  as $$
    begin
      return setweight(product_search_words(name), 'A')
        || strip(product_search_words(regexp_replace(description, '<[a-zA-Z/!][^>]*>', ' ', 'g')))
        || product_search_codes(coalesce(codes, ''))
        || coalesce(records, '')::tsvector;
    end
  $$;--> statement-breakpoint
-- As before, in two statements instead of five: of a single product, beginning a statement costs more than its rows.
-- Words are looked for only where the document did not have them before.
create or replace function product_search_refresh(merchant uuid, products uuid[]) returns void
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
    declare
      at_once constant int := 1000;
      slice uuid[];
      known uuid[];
      former tsvector[];
    begin
      for place in 1 .. coalesce(cardinality(products), 0) by at_once loop
        slice := products[place : place + at_once - 1];
        -- Who changes another part of the same product waits here, and then reads what was committed meanwhile.
        select array_agg(held.product_id), array_agg(held.document) into known, former from (
          select s.product_id, s.document from product_search s
          where s.merchant_id = merchant and s.product_id = any(slice) order by s.product_id for update) as held;
        -- One pass over each table and no join of them: however wrong the planner guesses, a slice costs a shop at most once.
        with fresh as materialized (
          select id, case when bool_or(deleted) then '' else product_search_document(
              min(name), min(description), string_agg(codes, chr(10)), string_agg('''#' || record_id || ''':1B', ' ')) end as document
          from (
            select p.id, p.name, p.description, p.deleted, null as codes, p.brand_id as record_id
              from product p where p.merchant_id = merchant and p.id = any(slice)
            union all
            select v.product_id, null, null, null, array_to_string(v.barcode_list || v.sku, chr(10)), null
              from variant v where v.merchant_id = merchant and v.product_id = any(slice) and not v.deleted
            union all
            select t.product_id, null, null, null, null, t.tag_id
              from product_tag_relation t where t.merchant_id = merchant and t.product_id = any(slice)
          ) as parts
          group by id having count(name) = 1
        ), written as (
          insert into product_search as stored (merchant_id, product_id, document)
          select merchant, fresh.id, fresh.document from fresh
          on conflict (merchant_id, product_id) do update set document = excluded.document
          where stored.document is distinct from excluded.document
        ), word as (
          select distinct word
          from fresh
          left join unnest(known, former) as old(id, document) on old.id = fresh.id
          cross join unnest(tsvector_to_array(
            case when old.document is null then fresh.document else ts_delete(fresh.document, tsvector_to_array(old.document)) end)) as word
          where left(word, 1) not in ('#', '=', '+')
        )
        insert into product_search_word (merchant_id, word)
        select merchant, word.word from word
        where (select true from product_search_word w
          where w.merchant_id = merchant and w.record_id is null and w.word collate "C" = word.word limit 1) is null;
      end loop;
    end
  $$;
