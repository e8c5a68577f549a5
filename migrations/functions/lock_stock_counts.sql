-- Locks stock counts until the end of the transaction, all transactions in one order, which prevents deadlocks.
-- src/stock/lock-order.ts has this order too.
create or replace function lock_stock_counts(merchant uuid, counts uuid[]) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  perform from product_stock_location c
  where c.merchant_id = merchant and c.id = any(counts)
  order by c.product_id, c.variant_id, c.stock_location_id for no key update;
end $$;
