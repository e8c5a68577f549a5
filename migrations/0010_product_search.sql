set local citus.multi_shard_modify_mode = 'sequential';--> statement-breakpoint
set local citus.enable_unsafe_triggers = on;--> statement-breakpoint
create extension if not exists fuzzystrmatch;--> statement-breakpoint
CREATE TABLE "product_search" (
	"merchant_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"document" "tsvector" NOT NULL,
	CONSTRAINT "product_search_merchant_id_product_id_pk" PRIMARY KEY("merchant_id","product_id")
);--> statement-breakpoint
CREATE TABLE "product_search_word" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"word" text NOT NULL,
	"record_id" uuid,
	CONSTRAINT "product_search_word_merchant_id_id_pk" PRIMARY KEY("merchant_id","id")
);--> statement-breakpoint
select distribute('product_search');--> statement-breakpoint
select distribute('product_search_word');--> statement-breakpoint
ALTER TABLE "product_search" ADD CONSTRAINT "product_search_product_fk" FOREIGN KEY ("merchant_id","product_id") REFERENCES "public"."product"("merchant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "product_search_document" ON "product_search" USING gin ("merchant_id","document") WITH (gin_pending_list_limit=512);--> statement-breakpoint
CREATE INDEX "product_search_word_known" ON "product_search_word" USING btree ("merchant_id","word" collate "C") WHERE record_id is null;--> statement-breakpoint
CREATE INDEX "product_search_word_name" ON "product_search_word" USING btree ("merchant_id","word" collate "C","record_id") WHERE record_id is not null;--> statement-breakpoint
CREATE INDEX "product_search_word_record" ON "product_search_word" USING btree ("merchant_id","record_id") WHERE record_id is not null;--> statement-breakpoint
CREATE INDEX "product_search_word_similar" ON "product_search_word" USING gin ("merchant_id","word" gin_trgm_ops);--> statement-breakpoint
-- As before, and eight times as fast on plain ASCII, which has no accents and no other normal form.
create or replace function fold(text) returns text
  language sql immutable parallel safe
  as $$
    select lower(
      case when octet_length($1) = char_length($1) then $1
        else public.unaccent('public.unaccent'::regdictionary, normalize($1, NFC)) end
      collate "und-x-icu"
    )
  $$;--> statement-breakpoint
-- The words of a text, folded, between punctuation of any kind. The parser of text search itself would take
-- "a-1" for a word and a negative number. Cut off where a document might become larger than Postgres takes.
create function product_search_words(text) returns tsvector
  language sql immutable parallel safe
  as $$
    select coalesce(to_tsvector('pg_catalog.simple', regexp_replace(fold(left($1, 65536)), '[!-/:-@[-`{-~]', ' ', 'g')), '')
  $$;--> statement-breakpoint
-- A sku or barcode as it is compared whole.
create function product_search_code(text) returns text
  language sql immutable parallel safe
  as $$ select left(fold(btrim($1)), 255) $$;--> statement-breakpoint
-- Codes come one a line. Their words with digits, of which nearly each product has others, are kept apart by a
-- sign: so the rest are few and every product's `+` words that begin alike are few.
create function product_search_codes(codes text) returns tsvector
  language plpgsql immutable parallel safe
  as $$
    declare
      kept text := left(codes, 65536);
      whole text[] := array(select '=' || product_search_code(code) from string_to_table(kept, chr(10)) as code);
      words text[] := array(
        select case when word ~ '[0-9]' then '+' || word else word end from unnest(tsvector_to_array(product_search_words(kept))) as word);
    begin
      return array_to_tsvector(whole || words);
    end
  $$;--> statement-breakpoint
-- In PL/pgSQL, which plans its parts once for a session: an SQL function with sub-selects is planned for each statement.
create function product_search_document(name text, description text, codes text, record_ids uuid[]) returns tsvector
  language plpgsql immutable parallel safe
  as $$
    declare
      records text := (select string_agg(format('''#%s'':1B', record_id), ' ') from unnest(record_ids) as record_id where record_id is not null);
    begin
      return setweight(product_search_words(name), 'A')
        || strip(product_search_words(regexp_replace(description, '<[a-zA-Z/!][^>]*>', ' ', 'g')))
        || product_search_codes(coalesce(codes, ''))
        || coalesce(records, '')::tsvector;
    end
  $$;--> statement-breakpoint
-- Writes the documents of products, whose ids come in order, from what the tables say now.
-- One plan for all merchants and any number of products: planning takes longer than one product does, and a plan
-- for a merchant that is too new for statistics reads its whole shop.
create function product_search_refresh(merchant uuid, products uuid[]) returns void
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
    declare
      at_once constant int := 1000;
      slice uuid[];
      ids uuid[];
      documents tsvector[];
      words text[];
      known text[];
    begin
      for place in 1 .. coalesce(cardinality(products), 0) by at_once loop
        slice := products[place : place + at_once - 1];
        -- Who changes another part of the same product waits here, and then reads what was committed meanwhile.
        perform from product_search s where s.merchant_id = merchant and s.product_id = any(slice) order by s.product_id for update;
        -- One pass over each table and no join: however wrong the planner guesses, a slice costs a shop at most once.
        select array_agg(part.id), array_agg(part.document)
          into ids, documents
          from (
            select id, case when bool_or(deleted) then '' else product_search_document(
                min(name), min(description), string_agg(codes, chr(10)), array_agg(record_id)) end as document
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
          ) as part;
        insert into product_search as stored (merchant_id, product_id, document)
          select merchant, fresh.product_id, fresh.document from unnest(ids, documents) as fresh(product_id, document)
          on conflict (merchant_id, product_id) do update set document = excluded.document
          where stored.document is distinct from excluded.document;
        words := array(
          select distinct word from unnest(documents) as document, unnest(tsvector_to_array(document)) as word
          where left(word, 1) not in ('#', '=', '+'));
        known := array(
          select w.word from product_search_word w where w.merchant_id = merchant and w.record_id is null and w.word collate "C" = any(words));
        insert into product_search_word (merchant_id, word)
          select merchant, fresh.word from (select unnest(words) except select unnest(known)) as fresh(word);
      end loop;
    end
  $$;--> statement-breakpoint
-- Words with few letters different, and the lexeme by which a document has them. One swap of two letters leaves
-- little of a short word's trigrams, and counts as two edits here: the service counts again.
create function product_search_similar(merchant uuid, asked text, edits int) returns table (word text, lexeme text)
  language sql stable
  set pg_trgm.similarity_threshold = 0.1
  as $$
    select near.word, near.lexeme from (
      select w.word, format(case when w.record_id is null then '''%s''' else '''#%2$s''' end, w.word, w.record_id) as lexeme,
        case when char_length(w.word) between char_length(asked) - edits and char_length(asked) + edits
          then levenshtein_less_equal(w.word, asked, 2 * edits) end as distance
      from product_search_word w where w.merchant_id = merchant and w.word % asked
    ) as near
    where near.distance <= 2 * edits order by near.distance limit 50
  $$;--> statement-breakpoint
-- Between hold and release of one transaction, changed products are only noted, so that a product that is
-- written with its variants and tags gets its document once. The note is the merchant's id and the products'.
create function product_search_hold(merchant uuid) returns void
  language plpgsql
  as $$ begin perform set_config('product_search.held', merchant::text, true); end $$;--> statement-breakpoint
create function product_search_release(merchant uuid) returns void
  language plpgsql
  as $$
    declare
      held text[] := string_to_array(current_setting('product_search.held', true), ',');
    begin
      perform set_config('product_search.held', '', true);
      perform product_search_refresh(merchant, array(select distinct id::uuid from unnest(held[2:]) as id order by 1));
    end
  $$;--> statement-breakpoint
create function product_search_changed(merchant uuid, products uuid[]) returns void
  language plpgsql
  as $$
    declare
      held text := current_setting('product_search.held', true);
    begin
      if starts_with(held, merchant::text) then
        perform set_config('product_search.held', concat_ws(',', held, array_to_string(products, ',')), true);
      else
        perform product_search_refresh(merchant, products);
      end if;
    end
  $$;--> statement-breakpoint
-- The triggers read transition tables by themselves, with EXCEPT instead of a join: its cost does not depend
-- on how many rows the session's first call had, for which its plan was made.
create function product_search_product_changed() returns trigger
  language plpgsql
  as $$
    declare
      changed record;
    begin
      if tg_op = 'INSERT' then
        for changed in select merchant_id, array_agg(id order by id) as ids from new_rows group by merchant_id loop
          perform product_search_changed(changed.merchant_id, changed.ids);
        end loop;
      else
        for changed in
          select merchant_id, array_agg(id order by id) as ids from (
            select merchant_id, id, name, description, brand_id, deleted from new_rows
            except select merchant_id, id, name, description, brand_id, deleted from old_rows
          ) as differing group by merchant_id
        loop
          perform product_search_changed(changed.merchant_id, changed.ids);
        end loop;
      end if;
      return null;
    end
  $$;--> statement-breakpoint
create function product_search_variant_changed() returns trigger
  language plpgsql
  as $$
    declare
      changed record;
    begin
      if tg_op = 'UPDATE' then
        for changed in
          select merchant_id, array_agg(distinct product_id) as ids from (
            (select merchant_id, product_id, id, sku, barcode_list, deleted from new_rows
              except select merchant_id, product_id, id, sku, barcode_list, deleted from old_rows)
            union all
            (select merchant_id, product_id, id, sku, barcode_list, deleted from old_rows
              except select merchant_id, product_id, id, sku, barcode_list, deleted from new_rows)
          ) as differing group by merchant_id
        loop
          perform product_search_changed(changed.merchant_id, changed.ids);
        end loop;
      else
        -- Named alike for both, as only one of the two is there.
        for changed in
          select merchant_id, array_agg(distinct product_id) as ids from changed_rows
          where not deleted and (sku is not null or barcode_list <> '{}') group by merchant_id
        loop
          perform product_search_changed(changed.merchant_id, changed.ids);
        end loop;
      end if;
      return null;
    end
  $$;--> statement-breakpoint
create function product_search_tag_relation_changed() returns trigger
  language plpgsql
  as $$
    declare
      changed record;
    begin
      if tg_op = 'UPDATE' then
        for changed in
          select merchant_id, array_agg(distinct product_id) as ids from (
            (select merchant_id, product_id, tag_id from new_rows except select merchant_id, product_id, tag_id from old_rows)
            union all
            (select merchant_id, product_id, tag_id from old_rows except select merchant_id, product_id, tag_id from new_rows)
          ) as differing group by merchant_id
        loop
          perform product_search_changed(changed.merchant_id, changed.ids);
        end loop;
      else
        for changed in select merchant_id, array_agg(distinct product_id) as ids from changed_rows group by merchant_id loop
          perform product_search_changed(changed.merchant_id, changed.ids);
        end loop;
      end if;
      return null;
    end
  $$;--> statement-breakpoint
-- Brands and tags are in documents by id, so a new name costs its own words and no document.
create function product_search_name_changed() returns trigger
  language plpgsql
  as $$
    declare
      changed record;
    begin
      for changed in
        select merchant_id, array_agg(id) as ids, array_agg(case when deleted then '' else name end) as names
        from changed_rows group by merchant_id
      loop
        perform product_search_name(changed.merchant_id, changed.ids, case when tg_op = 'DELETE' then '{}' else changed.names end);
      end loop;
      return null;
    end
  $$;--> statement-breakpoint
create function product_search_name(merchant uuid, record_ids uuid[], names text[]) returns void
  language plpgsql
  as $$
    begin
      delete from product_search_word w where w.merchant_id = merchant and w.record_id = any(record_ids);
      insert into product_search_word (merchant_id, word, record_id)
        select merchant, word, named.id
        from unnest(record_ids, names) as named(id, name), unnest(tsvector_to_array(product_search_words(named.name))) as word;
    end
  $$;--> statement-breakpoint
create trigger product_search_inserted after insert on product
  referencing new table as new_rows for each statement execute function product_search_product_changed();--> statement-breakpoint
create trigger product_search_updated after update on product
  referencing old table as old_rows new table as new_rows for each statement execute function product_search_product_changed();--> statement-breakpoint
create trigger product_search_inserted after insert on variant
  referencing new table as changed_rows for each statement execute function product_search_variant_changed();--> statement-breakpoint
create trigger product_search_updated after update on variant
  referencing old table as old_rows new table as new_rows for each statement execute function product_search_variant_changed();--> statement-breakpoint
create trigger product_search_deleted after delete on variant
  referencing old table as changed_rows for each statement execute function product_search_variant_changed();--> statement-breakpoint
create trigger product_search_inserted after insert on product_tag_relation
  referencing new table as changed_rows for each statement execute function product_search_tag_relation_changed();--> statement-breakpoint
create trigger product_search_updated after update on product_tag_relation
  referencing old table as old_rows new table as new_rows for each statement execute function product_search_tag_relation_changed();--> statement-breakpoint
create trigger product_search_deleted after delete on product_tag_relation
  referencing old table as changed_rows for each statement execute function product_search_tag_relation_changed();--> statement-breakpoint
create trigger product_search_inserted after insert on product_brand
  referencing new table as changed_rows for each statement execute function product_search_name_changed();--> statement-breakpoint
create trigger product_search_updated after update on product_brand
  referencing new table as changed_rows for each statement execute function product_search_name_changed();--> statement-breakpoint
create trigger product_search_deleted after delete on product_brand
  referencing old table as changed_rows for each statement execute function product_search_name_changed();--> statement-breakpoint
create trigger product_search_inserted after insert on product_tag
  referencing new table as changed_rows for each statement execute function product_search_name_changed();--> statement-breakpoint
create trigger product_search_updated after update on product_tag
  referencing new table as changed_rows for each statement execute function product_search_name_changed();--> statement-breakpoint
create trigger product_search_deleted after delete on product_tag
  referencing old table as changed_rows for each statement execute function product_search_name_changed();--> statement-breakpoint
-- What was written before there was a search.
do $$
  declare
    shop record;
  begin
    for shop in select merchant_id from merchant loop
      perform product_search_refresh(shop.merchant_id, array(select id from product where merchant_id = shop.merchant_id order by id));
      perform product_search_name(shop.merchant_id, array_agg(id), array_agg(name)) from product_brand where merchant_id = shop.merchant_id and not deleted;
      perform product_search_name(shop.merchant_id, array_agg(id), array_agg(name)) from product_tag where merchant_id = shop.merchant_id and not deleted;
    end loop;
  end
$$;
