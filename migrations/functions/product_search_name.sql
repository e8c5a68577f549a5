-- Replaces the words of records' names.
create or replace function product_search_name(merchant uuid, record_ids uuid[], names text[]) returns void
  language plpgsql
  as $$
    begin
      delete from product_search_word w where w.merchant_id = merchant and w.record_id = any(record_ids);
      insert into product_search_word (merchant_id, word, record_id)
        select merchant, word, named.id
        from unnest(record_ids, names) as named(id, name),
          unnest(tsvector_to_array(product_search_words(named.name, 8192))) as word;
    end
  $$;
