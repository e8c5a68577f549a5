-- Writes the events of customers; write_customer_erasures writes those of erased ones. They are written in batches,
-- because an array has at most 1 GiB, and the events of one statement can be larger. The size of a row is measured as
-- text, because stored values can be compressed.
create or replace function customer_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set jit = off as $$
declare
  customers_at_once constant integer := 1000;
  bytes_at_once constant integer := 16777216;
  merchant uuid;
  merchants_done uuid[] := '{}';
  hooks webhook[];
  changes refcursor;
  change record;
  is_end boolean;
  customer customer;
  changed customer[];
  erased customer[];
  bytes bigint;
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
      open changes for
        select n as customer, false as is_erased, octet_length(n::text) as bytes
        from new_rows n where n.merchant_id = merchant;
    else
      -- The plan may be from a statement of few rows. A nested loop would compare 20,000 rows in 400 million pairs.
      perform set_config('enable_nestloop', 'off', true);
      open changes for
        select c.customer, c.is_erased, pg_column_size(c.state) as bytes
        from (
          select n as customer, n.erasure_id is not null and o.erasure_id is null as is_erased,
            comparable_row(n) as state, comparable_row(o) as former_state
          from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
          where n.merchant_id = merchant
          offset 0
        ) c
        where c.state <> c.former_state;
      perform set_config('enable_nestloop', 'on', true);
    end if;
    changed := '{}';
    erased := '{}';
    bytes := 0;
    loop
      fetch changes into change;
      is_end := not found;
      if not is_end then
        -- Converts the row: the row type of a shard is another type.
        customer := change.customer;
        if change.is_erased then
          erased := erased || customer;
        else
          changed := changed || customer;
        end if;
        bytes := bytes + change.bytes;
      end if;
      if is_end or cardinality(changed) + cardinality(erased) = customers_at_once or bytes > bytes_at_once then
        if cardinality(erased) > 0 then
          perform write_customer_erasures(merchant, hooks, erased);
        end if;
        if cardinality(changed) > 0 then
          select array_agg(e.id), array_agg(e.data) into ids, datas from customer_events(merchant, changed) e;
          perform write_webhook_events(
            merchant, hooks, case tg_op when 'INSERT' then 'created' else 'updated' end, ids, datas,
            array_fill(null::text, array[cardinality(ids)]));
        end if;
        changed := '{}';
        erased := '{}';
        bytes := 0;
      end if;
      exit when is_end;
    end loop;
    close changes;
  end loop;
  return null;
end $$;--> statement-breakpoint
create or replace trigger customer_inserted after insert on customer referencing new table as new_rows
  for each statement execute function customer_changed();--> statement-breakpoint
create or replace trigger customer_updated after update on customer
  referencing old table as old_rows new table as new_rows
  for each statement execute function customer_changed();
