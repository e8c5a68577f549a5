-- Records changes of products, for the events at the end of the transaction.
create or replace function product_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set jit = off as $$
declare
  merchant uuid;
  merchants_done uuid[] := '{}';
  hooks webhook[];
  change record;
begin
  for merchant in select n.merchant_id from new_rows n loop
    continue when merchant = any(merchants_done);
    merchants_done := merchants_done || merchant;
    hooks := webhooks_for_products(merchant);
    continue when cardinality(hooks) = 0;
    if tg_op = 'INSERT' then
      perform record_product_changes(
        merchant, hooks, 'created', array(select n.id from new_rows n where n.merchant_id = merchant));
      continue;
    end if;
    -- The plan may be from a statement of few rows. A nested loop would compare 20,000 rows in 400 million pairs.
    perform set_config('enable_nestloop', 'off', true);
    for change in
      select c.action, array_agg(c.id) as ids, array_agg(c.channels_left) as channels_left
      from (
        select n.id,
          case when n.deleted = o.deleted then 'updated' when n.deleted then 'deleted' else 'restored' end as action,
          case when n.sales_channel_ids <> o.sales_channel_ids then
            array(select unnest(o.sales_channel_ids) except select unnest(n.sales_channel_ids))::text
          end as channels_left
        from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
        where n.merchant_id = merchant
          and comparable_row(n) <> comparable_row(o)
      ) c
      group by c.action
    loop
      perform set_config('enable_nestloop', 'on', true);
      perform record_product_changes(merchant, hooks, change.action, change.ids, change.channels_left);
    end loop;
    perform set_config('enable_nestloop', 'on', true);
  end loop;
  return null;
end $$;--> statement-breakpoint
create or replace trigger product_inserted after insert on product referencing new table as new_rows
  for each statement execute function product_changed();--> statement-breakpoint
create or replace trigger product_updated after update on product
  referencing old table as old_rows new table as new_rows
  for each statement execute function product_changed();
