-- Writes the search documents of a merchant's pending products, the oldest first. Returns the number of rows that it
-- took from product_search_pending. Rows that another transaction has locked are waited for or skipped.
-- Pending rows are deleted in the transaction that writes the documents, so a crash loses nothing. A product that
-- changes meanwhile has a new pending row.
create or replace function product_search_write_pending(merchant uuid, max_products integer, waits boolean)
  returns integer language plpgsql
  as $$
    declare
      taken integer;
      products uuid[];
    begin
      if waits then
        perform from product_search_pending m
          where m.merchant_id = merchant order by m.id limit max_products for update;
      end if;
      with taken as (
        delete from product_search_pending p
        where p.merchant_id = merchant and p.id = any(array(
          select m.id from product_search_pending m where m.merchant_id = merchant
          order by m.id limit max_products for update skip locked))
        returning p.product_id
      )
      select count(*), array_agg(distinct t.product_id order by t.product_id) into taken, products from taken t;
      if taken > 0 then
        perform product_search_write_documents(merchant, products);
      end if;
      return taken;
    end
  $$;
