-- Writes the search documents of a merchant's pending products. It takes the oldest rows of product_search_pending, at
-- most `max_products`, fewer if the products have long texts, and none that another transaction has locked. Returns how
-- many rows it took.
-- Pending rows are deleted in the transaction that writes the documents, so a crash loses nothing. A product that
-- changes meanwhile has a new pending row.
create or replace function product_search_write_pending(merchant uuid, max_products integer) returns integer
  language plpgsql
  as $$
    declare
      pending_ids uuid[];
      products uuid[];
      taken integer;
    begin
      with held as materialized (
        select m.id, m.product_id from product_search_pending m where m.merchant_id = merchant
        order by m.id limit max_products for update skip locked
      ), oldest as (
        select distinct on (held.product_id) held.product_id, held.id from held order by held.product_id, held.id
      )
      select array(select held.id from held), array(select o.product_id from oldest o order by o.id)
        into pending_ids, products;
      if cardinality(products) > 1 then
        products := product_search_batch(merchant, products);
      end if;
      delete from product_search_pending p
        where p.merchant_id = merchant and p.id = any(pending_ids) and p.product_id = any(products);
      get diagnostics taken = row_count;
      if taken > 0 then
        perform product_search_write_documents(merchant, products);
      end if;
      return taken;
    end
  $$;
