-- Records changes of products, for the events at the end of the transaction.
create or replace function product_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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
        merchant, hooks, 'created', array(select n.id from new_rows n where n.merchant_id = merchant), '[]');
      continue;
    end if;
    -- The plan may be from a statement of few rows. A nested loop would compare 20,000 rows in 400 million pairs.
    perform set_config('enable_nestloop', 'off', true);
    for change in
      select c.action, array_agg(distinct c.id) as ids,
        jsonb_agg(jsonb_build_array(c.id, channel)) filter (where channel is not null) as channels_left
      from (
        select n.id, o.sales_channel_ids,
          case when n.deleted = o.deleted then 'updated' when n.deleted then 'deleted' else 'restored' end as action
        from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
        where n.merchant_id = merchant
          and comparable_row(n) <> comparable_row(o)
      ) c left join unnest(c.sales_channel_ids) channel on true
      group by c.action
    loop
      perform set_config('enable_nestloop', 'on', true);
      perform record_product_changes(merchant, hooks, change.action, change.ids, coalesce(change.channels_left, '[]'));
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
