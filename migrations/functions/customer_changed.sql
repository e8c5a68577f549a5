-- Writes the events of customers; write_customer_erasures writes those of erased ones.
create or replace function customer_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  merchant uuid;
  merchants_done uuid[] := '{}';
  hooks webhook[];
  changed customer[];
  erased customer[];
  ids uuid[];
  datas text[];
begin
  for merchant in select n.merchant_id from new_rows n loop
    continue when merchant = any(merchants_done);
    merchants_done := merchants_done || merchant;
    hooks := array(
      select w from webhook w
      where w.merchant_id = merchant and split_part(w.scope, '/', 2) = 'customer');
    continue when cardinality(hooks) = 0;
    if tg_op = 'INSERT' then
      changed := array(select n from new_rows n where n.merchant_id = merchant);
    else
      -- The plan may be from a statement of few rows. A nested loop would compare 20,000 rows in 400 million pairs.
      perform set_config('enable_nestloop', 'off', true);
      erased := array(
        select n from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
        where n.merchant_id = merchant and n.erasure_id is not null and o.erasure_id is null);
      changed := array(
        select n from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
        where n.merchant_id = merchant and (n.erasure_id is null or o.erasure_id is not null)
          and comparable_row(n) <> comparable_row(o));
      perform set_config('enable_nestloop', 'on', true);
      if cardinality(erased) > 0 then
        perform write_customer_erasures(merchant, hooks, erased);
      end if;
      continue when cardinality(changed) = 0;
    end if;
    select array_agg(e.id), array_agg(e.data) into ids, datas from customer_events(merchant, changed) e;
    perform write_webhook_events(
      merchant, hooks, case tg_op when 'INSERT' then 'created' else 'updated' end, ids, datas,
      array_fill(null::text, array[cardinality(ids)]));
  end loop;
  return null;
end $$;--> statement-breakpoint
create or replace trigger customer_inserted after insert on customer referencing new table as new_rows
  for each statement execute function customer_changed();--> statement-breakpoint
create or replace trigger customer_updated after update on customer
  referencing old table as old_rows new table as new_rows
  for each statement execute function customer_changed();
