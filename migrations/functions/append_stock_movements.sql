-- Adds deltas to stock counts in their order, with a movement for each, and returns the ids of the movements. The
-- caller holds the locks of the counts, whose rows exist. The movements belong to the change set of the transaction, or
-- each to one of `sets`, by one of `apps`.
create or replace function append_stock_movements(
  merchant uuid, counts uuid[], deltas numeric[], kinds text[], reasons text[], refs text[], keys text[],
  sets uuid[] default null, apps uuid[] default null)
returns uuid[] language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  counted uuid[];
  steps integer[];
  numbered record;
  numbers integer[];
  change_numbers integer[];
  times_ms bigint[];
  afters numeric[];
  products uuid[];
  variants uuid[];
  locations uuid[];
  opened_at timestamptz[];
  movement_ids uuid[];
  begun record;
  changed_ids uuid[];
  last_numbers integer[];
  last_afters numeric[];
begin
  if coalesce(cardinality(counts), 0) = 0 then
    return '{}';
  end if;
  select array_agg(c.id), array_agg(c.steps) into counted, steps
  from (select e.id, count(*)::integer as steps from unnest(counts) as e(id) group by e.id) c;
  select * into numbered
  from number_changes(
    merchant, counted, array_fill('PRODUCT_STOCK_LOCATION'::text, array[cardinality(counted)]), steps);
  select array_agg(m.number order by m.place), array_agg(m.change_number order by m.place),
    array_agg(m.at_ms order by m.place), array_agg(m.count_after order by m.place),
    array_agg(m.product_id order by m.place), array_agg(m.variant_id order by m.place),
    array_agg(m.stock_location_id order by m.place), array_agg(m.opened_at order by m.place),
    array_agg(uuid_v7_at(to_timestamp(m.at_ms / 1000.0)) order by m.place)
  into numbers, change_numbers, times_ms, afters, products, variants, locations, opened_at,
    movement_ids
  from (
    select e.place, c.product_id, c.variant_id, c.stock_location_id,
      case when c.last_movement_number = 0 and row_number() over own = 1 then c.created_at end as opened_at,
      c.last_movement_number + row_number() over own as number,
      n.last_number - n.steps + row_number() over own as change_number,
      n.last_ms - n.steps + row_number() over own as at_ms,
      c.stock_count + sum(e.delta) over own as count_after
    from unnest(counts, deltas) with ordinality as e(id, delta, place)
    join unnest(counted, steps, numbered.last_numbers, numbered.last_times_ms) as n(id, steps, last_number, last_ms)
      on n.id = e.id
    cross join lateral (
      select * from product_stock_location c where c.merchant_id = merchant and c.id = e.id limit 1) c
    window own as (partition by e.id order by e.place)
  ) m;
  select * into begun from begin_stock_movements(merchant);
  if sets is null then
    sets := array_fill(begun.set_id, array[cardinality(counts)]);
    apps := array_fill(begun.app_id, array[cardinality(counts)]);
  end if;
  -- Before the counts, so that their trigger finds the movements.
  insert into stock_movement
    (merchant_id, id, product_stock_location_id, sequence, change_number, kind, delta, count_after, reason, reference,
      key, product_id, variant_id, stock_location_id, change_transaction_id, change_set_id, authorized_app_id,
      count_created_at, created_at)
  select merchant, m.id, m.count_id, m.number, m.change_number, m.kind, m.delta, m.count_after, m.reason, m.reference,
    m.key, m.product_id, m.variant_id, m.stock_location_id, begun.transaction_key, m.set_id, m.app_id,
    m.opened_at, to_timestamp(m.at_ms / 1000.0)
  from unnest(movement_ids, counts, numbers, change_numbers, kinds, deltas, afters, reasons, refs, keys, products,
      variants, locations, times_ms, sets, apps, opened_at)
    as m(id, count_id, number, change_number, kind, delta, count_after, reason, reference, key, product_id, variant_id,
      stock_location_id, at_ms, set_id, app_id, opened_at);
  select array_agg(m.id), array_agg(m.number), array_agg(m.count_after) into changed_ids, last_numbers, last_afters
  from (
    select distinct on (m.id) m.id, m.number, m.count_after
    from unnest(counts, numbers, afters) as m(id, number, count_after)
    order by m.id, m.number desc
  ) m;
  -- Without a join, because Citus sends the generic plan of a joined UPDATE to all shards. Citus 13.2 crashes on a
  -- column that is set to an element of an array, without anything around it.
  update product_stock_location c set
    stock_count = last_afters[array_position(changed_ids, c.id)],
    last_movement_number = coalesce(last_numbers[array_position(changed_ids, c.id)], c.last_movement_number),
    deleted = false,
    updated_at = greatest(now(), (c.updated_at at time zone 'UTC' + interval '1 millisecond') at time zone 'UTC')
  where c.merchant_id = merchant and c.id = any(changed_ids);
  return movement_ids;
end $$;
