-- Writes the event of a deleted row, with the values of that row. A product that was created in the same transaction
-- gets no event.
create or replace function product_removed() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  merchant uuid;
  merchants_done uuid[] := '{}';
  hooks webhook[];
  ids uuid[];
  datas text[];
  created uuid[];
  removed product[];
begin
  for merchant in select o.merchant_id from old_rows o loop
    continue when merchant = any(merchants_done);
    merchants_done := merchants_done || merchant;
    hooks := webhooks_for_products(merchant);
    continue when cardinality(hooks) = 0;
    created := array(
      select c.product_id from webhook_change c
      where c.merchant_id = merchant and c.transaction_id = pg_current_xact_id() and c.actions[1] = 'created');
    removed := array(
      select o from old_rows o where o.merchant_id = merchant and not o.deleted and o.id <> all(created));
    select array_agg(e.id), array_agg((e.data::jsonb || '{"deleted": true}')::text) into ids, datas
    from product_events(merchant, removed) e;
    continue when ids is null;
    perform write_webhook_events(
      merchant, hooks, 'deleted', ids, datas, array_fill(null::text, array[cardinality(ids)]));
  end loop;
  return null;
end $$;--> statement-breakpoint
create or replace trigger product_removed after delete on product referencing old table as old_rows
  for each statement execute function product_removed();
