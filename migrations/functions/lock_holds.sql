-- Locks holds and their stock counts until the end of the transaction, all transactions in one order. Returns the
-- holds, with ENDED as the status of an active one whose time is over.
create or replace function lock_holds(merchant uuid, hold_ids uuid[])
returns table (hold_id uuid, count_id uuid, quantity numeric, key text, reference text, status text)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  perform lock_stock_counts(merchant, array(
    select h.product_stock_location_id from stock_hold h where h.merchant_id = merchant and h.id = any(hold_ids)));
  perform from stock_hold h where h.merchant_id = merchant and h.id = any(hold_ids) order by h.id for no key update;
  return query select h.id, h.product_stock_location_id, h.quantity, h.key, h.reference,
    case when h.status = 'ACTIVE' and h.expires_at <= clock_timestamp() then 'ENDED' else h.status end
  from stock_hold h where h.merchant_id = merchant and h.id = any(hold_ids)
  order by h.id;
end $$;
