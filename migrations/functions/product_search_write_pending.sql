-- Writes the search documents of a merchant's pending products, the oldest first. Returns the number of rows that it
-- took from product_search_pending, or `max_products` if it left some of them because their texts are long. Rows that
-- another transaction has locked are waited for or skipped.
-- Pending rows are deleted in the transaction that writes the documents, so a crash loses nothing. A product that
-- changes meanwhile has a new pending row.
create or replace function product_search_write_pending(merchant uuid, max_products integer, waits boolean)
  returns integer language plpgsql
  as $$
    declare
      pending_ids uuid[];
      pending_products uuid[];
      products uuid[];
    begin
      if waits then
        perform from product_search_pending m
          where m.merchant_id = merchant order by m.id limit max_products for update;
      end if;
      select array_agg(held.id), array_agg(distinct held.product_id order by held.product_id)
        into pending_ids, pending_products
        from (
          select m.id, m.product_id from product_search_pending m where m.merchant_id = merchant
          order by m.id limit max_products for update skip locked
        ) as held;
      if pending_ids is null then
        return 0;
      end if;
      products := case when cardinality(pending_products) = 1 then pending_products
        else product_search_batch(merchant, pending_products) end;
      delete from product_search_pending p
        where p.merchant_id = merchant and p.id = any(pending_ids) and p.product_id = any(products);
      perform product_search_write_documents(merchant, products);
      return case when products = pending_products then cardinality(pending_ids) else max_products end;
    end
  $$;
