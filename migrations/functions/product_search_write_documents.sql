-- Writes the search documents of products from the current rows. The ids must be sorted.
-- Two statements only: for one product, starting a statement costs more than its rows. Words are looked up only if the
-- former document did not have them. Pairs of characters are not stored as words, because they are needed neither for
-- prefixes nor for corrections.
create or replace function product_search_write_documents(merchant uuid, products uuid[]) returns void
  language plpgsql
  as $$
    declare
      at_once constant int := 1000;
      slice uuid[];
      code_start text := product_search_code_start(merchant);
      -- Automated categories. Their products are in category_product; ids in product.category_ids do not count.
      automated uuid[] := array(select c.id from category c where c.merchant_id = merchant and c.by_conditions);
    begin
      for place in 1 .. coalesce(cardinality(products), 0) by at_once loop
        slice := products[place : place + at_once - 1];
        -- Locks each document, so that concurrent refreshes of a product wait here, and then read what was committed. A
        -- new product first gets an empty document, because a row that does not exist cannot be locked.
        with held as materialized (
          select p.id from product p where p.merchant_id = merchant and p.id = any(slice)
        )
        insert into product_search (merchant_id, product_id, document)
        select merchant, held.id, ''::tsvector from held order by held.id
        on conflict (merchant_id, product_id) do update set document = excluded.document where false;
        -- One scan of each table and no join: the worst plan reads all products of the merchant once.
        with fresh as materialized (
          select id, case when bool_or(deleted) then '' else product_search_document(
              min(name), min(description), min(translations)::json,
              json_agg(attributes) filter (where attributes is not null),
              json_agg(options) filter (where options is not null),
              string_agg(codes, chr(10) order by position), code_start, min(record_ids)) end as document
          from (
            select p.id, p.name, p.description, p.deleted, p.brand_id
              || case when cardinality(automated) = 0 then p.category_ids else
                array(select saved from unnest(p.category_ids) as saved where saved <> all(automated))
                || array(
                  select m.category_id from category_product m
                  where m.merchant_id = merchant and m.product_id = p.id and m.by_conditions) end
              || p.tag_ids as record_ids, null as codes, null::int as position,
              case when json_typeof(p.translations) = 'array' and is_readable(p.translations) then p.translations::text
                end as translations,
              p.attributes, null::json as options
              from product p where p.merchant_id = merchant and p.id = any(slice)
            union all
            select v.product_id, null, null, null, null, array_to_string(v.barcode_list || v.sku, chr(10)),
              v.position, null, v.attributes, v.variant_value_ids
              from variant v where v.merchant_id = merchant and v.product_id = any(slice) and not v.deleted
          ) as parts
          group by id having count(name) = 1
        ), former as materialized (
          select s.product_id, s.document from product_search s
          where s.merchant_id = merchant and s.product_id = any(slice)
        ), written as (
          insert into product_search as stored (merchant_id, product_id, document)
          select merchant, fresh.id, fresh.document from fresh
          on conflict (merchant_id, product_id) do update set document = excluded.document
          where stored.document is distinct from excluded.document
        ), word as (
          select distinct word
          from fresh
          join former on former.product_id = fresh.id
          cross join unnest(tsvector_to_array(ts_delete(fresh.document, tsvector_to_array(former.document)))) as word
          where left(word, 1) not in ('#', '=', '+', '~')
            and (word collate "C" < U&'\0E00' or word !~ ('^' || product_search_unspaced()))
        )
        insert into product_search_word (merchant_id, word)
        select merchant, word.word from word
        where (select true from product_search_word w
          where w.merchant_id = merchant and w.record_id is null and w.unused_since is null
            and w.word collate "C" = word.word limit 1) is null;
      end loop;
    end
  $$;--> statement-breakpoint

-- A generic plan for all merchants and any number of products. Planning takes longer than writing one product, and a
-- custom plan for a merchant without statistics reads all its products. Citus refuses this setting.
do $$
begin
  if not has_citus() then
    alter function product_search_write_documents set plan_cache_mode = force_generic_plan;
  end if;
end $$;
