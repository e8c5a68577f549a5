-- Writes the movements of stock counts that a statement set: by a save, an import or plain SQL. Other changes have
-- their movement already, under the number in the row. Removed counts take their movements and holds with them.
-- Sequential scans are off; `begin_stock_movements` says why.
create or replace function record_stock_counts() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set jit = off
  set enable_seqscan = off as $$
declare
  merchants uuid[];
  merchant uuid;
  ids uuid[];
  numbers integer[];
  deltas numeric[];
  afters numeric[];
  products uuid[];
  variants uuid[];
  locations uuid[];
  opened_at timestamptz[] := '{}';
  opened_deleted boolean[] := '{}';
  transaction_key uuid;
  replaced uuid[];
  members text[];
  created uuid[];
  moved uuid[];
  befores numeric[];
  sets uuid[];
  missing uuid[];
  numbered record;
  begun record;
begin
  if tg_op = 'DELETE' then
    merchants := array(select distinct o.merchant_id from old_rows o);
    foreach merchant in array merchants loop
      ids := array(select o.id from old_rows o where o.merchant_id = merchant);
      select t.id into transaction_key from change_transaction t
      where t.merchant_id = merchant and t.transaction_id = pg_current_xact_id() and t.is_kept;
      -- What one transaction creates and removes is no change.
      created := array(
        select m.product_stock_location_id from stock_movement m
        where m.merchant_id = merchant and m.product_stock_location_id = any(ids) and m.sequence = 1
          and m.change_number is not null
          and m.change_transaction_id = transaction_key);
      if cardinality(created) > 0 then
        delete from change_part p
        where p.merchant_id = merchant and p.record_id = any(created) and p.record_type = 'PRODUCT_STOCK_LOCATION'
          and p.change_transaction_id = transaction_key;
      end if;
      -- The change of the removal has the count after the transaction's own movements, which are removed below. A part
      -- before those of all statements has the count before them.
      select array_agg(m.id), array_agg(m.count_before) into moved, befores
      from (
        select m.product_stock_location_id as id,
          (array_agg(m.count_after - m.delta order by m.sequence))[1] as count_before
        from stock_movement m
        where m.merchant_id = merchant and m.product_stock_location_id = any(ids)
          and m.change_transaction_id = transaction_key
        group by m.product_stock_location_id having min(m.sequence) > 1
      ) m;
      if moved is not null then
        insert into change_part
          (merchant_id, change_transaction_id, record_id, record_type, statement, part, row_change, before)
        select merchant, transaction_key, m.id, 'PRODUCT_STOCK_LOCATION', 0, '', 'UPDATED',
          json_build_object('stockCount', trim_scale(m.count_before))
        from unnest(moved, befores) as m(id, count_before);
      end if;
      -- Only old movements: the change set of a new one may still get changes from a transaction that is running.
      sets := array(
        select distinct m.change_set_id from stock_movement m
        where m.merchant_id = merchant and m.product_stock_location_id = any(ids)
          and m.created_at < now() - interval '1 day');
      delete from stock_movement m where m.merchant_id = merchant and m.product_stock_location_id = any(ids);
      perform remove_unused_change_sets(merchant, sets);
      delete from stock_hold h where h.merchant_id = merchant and h.product_stock_location_id = any(ids);
    end loop;
    return null;
  end if;
  merchants := array(select distinct n.merchant_id from new_rows n);
  foreach merchant in array merchants loop
    if tg_op = 'INSERT' then
      select array_agg(n.id), array_agg(n.last_movement_number), array_agg(n.stock_count), array_agg(n.stock_count),
        array_agg(n.product_id), array_agg(n.variant_id), array_agg(n.stock_location_id), array_agg(n.created_at),
        array_agg(nullif(n.deleted, false))
      into ids, numbers, deltas, afters, products, variants, locations, opened_at, opened_deleted
      from new_rows n where n.merchant_id = merchant and n.last_movement_number > 0;
    else
      -- The plan may be from a statement of few rows. A nested loop would compare 20,000 rows in 400 million pairs.
      perform set_config('enable_nestloop', 'off', true);
      select array_agg(n.id), array_agg(n.last_movement_number), array_agg(n.stock_count - o.stock_count),
        array_agg(n.stock_count), array_agg(n.product_id), array_agg(n.variant_id), array_agg(n.stock_location_id)
      into ids, numbers, deltas, afters, products, variants, locations
      from new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id
      where n.merchant_id = merchant and n.stock_count <> o.stock_count;
      perform set_config('enable_nestloop', 'on', true);
    end if;
    continue when ids is null;
    -- Not in the statements above: a cluster cannot join a table with the rows of a trigger.
    missing := array(
      select c.id from unnest(ids, numbers) as c(id, number)
      left join lateral (
        select true as is_written from stock_movement m
        where m.merchant_id = merchant and m.product_stock_location_id = c.id and m.sequence = c.number limit 1) m
        on true
      where m.is_written is null);
    continue when cardinality(missing) = 0;
    replaced := '{}';
    if tg_op = 'INSERT' then
      select t.id into transaction_key from change_transaction t
      where t.merchant_id = merchant and t.transaction_id = pg_current_xact_id() and t.is_kept;
      replaced := array(
        select p.record_id from change_part p
        where p.merchant_id = merchant and p.change_transaction_id = transaction_key and p.record_id = any(missing)
          and p.record_type = 'PRODUCT_STOCK_LOCATION' and p.row_change = 'REMOVED');
    end if;
    if cardinality(replaced) > 0 then
      -- The transaction removed them before. Both together are one change, which is written when the transaction ends.
      select array_agg(n.id),
        array_agg(json_build_object(
          'productId', n.product_id, 'variantId', n.variant_id, 'stockLocationId', n.stock_location_id,
          'stockCount', trim_scale(n.stock_count), 'createdAt', (date_part('epoch', n.created_at) * 1000)::bigint,
          'updatedAt', (date_part('epoch', n.updated_at) * 1000)::bigint, 'deleted', n.deleted)::text)
      into replaced, members
      from new_rows n where n.merchant_id = merchant and n.id = any(replaced);
      perform write_change_parts(
        merchant, transaction_key, false, false, '', replaced,
        array_fill('PRODUCT_STOCK_LOCATION'::text, array[cardinality(replaced)]),
        array_fill('INSERTED'::text, array[cardinality(replaced)]),
        array_fill(null::text, array[cardinality(replaced)]), members);
    end if;
    select * into numbered from number_changes(
      merchant, missing, array_fill('PRODUCT_STOCK_LOCATION'::text, array[cardinality(missing)]),
      array(
        select case when c.id = any(replaced) then 0 else 1 end
        from unnest(missing) with ordinality as c(id, place) order by c.place));
    select * into begun from begin_stock_movements(merchant);
    insert into stock_movement
      (merchant_id, id, product_stock_location_id, sequence, change_number, kind, delta, count_after, product_id,
        variant_id, stock_location_id, change_transaction_id, change_set_id, authorized_app_id, count_created_at,
        count_deleted, created_at)
    select merchant, uuid_v7_at(to_timestamp(n.at_ms / 1000.0)), c.id, c.number,
      case when c.id <> all(replaced) then n.change_number end,
      case
        when begun.is_revert then 'CORRECTED'
        when begun.operation_name = 'commerce import' then 'IMPORTED'
        else 'COUNTED'
      end,
      c.delta, c.count_after, c.product_id, c.variant_id, c.stock_location_id, begun.transaction_key, begun.set_id,
      begun.app_id, c.opened_at, c.opened_deleted, to_timestamp(n.at_ms / 1000.0)
    from unnest(ids, numbers, deltas, afters, products, variants, locations, opened_at, opened_deleted)
      as c(id, number, delta, count_after, product_id, variant_id, stock_location_id, opened_at, opened_deleted)
    join unnest(missing, numbered.last_numbers, numbered.last_times_ms) as n(id, change_number, at_ms) on n.id = c.id;
  end loop;
  return null;
end $$;--> statement-breakpoint
-- Triggers fire in the order of their names: before those of events, which contain what was moved.
create or replace trigger counts_inserted after insert on product_stock_location referencing new table as new_rows
  for each statement execute function record_stock_counts();--> statement-breakpoint
create or replace trigger counts_updated after update on product_stock_location
  referencing old table as old_rows new table as new_rows
  for each statement execute function record_stock_counts();--> statement-breakpoint
create or replace trigger counts_deleted after delete on product_stock_location referencing old table as old_rows
  for each statement execute function record_stock_counts();
