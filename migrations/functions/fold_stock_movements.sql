-- Folds the oldest movements of a merchant's stock counts before a time, at most `batch` of them, into one for each
-- count: it has the sum, which is the count after the last of them, and its sequence, and is no change of the count any
-- more. The change sets of the others go with them. Returns how many were folded.
create or replace function fold_stock_movements(merchant uuid, before timestamptz, batch integer) returns integer
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  counts uuid[];
  numbers integer[];
  folded integer;
  sets uuid[];
begin
  select array_agg(o.count_id), array_agg(o.number), coalesce(sum(o.movements), 0) into counts, numbers, folded
  from (
    select m.product_stock_location_id as count_id, max(m.sequence) as number, count(*) as movements
    from (
      select m.product_stock_location_id, m.sequence from stock_movement m
      where m.merchant_id = merchant and m.created_at < before and m.change_number is not null
      order by m.id limit batch
    ) m
    group by m.product_stock_location_id
  ) o;
  if folded = 0 then
    return 0;
  end if;
  perform lock_stock_counts(merchant, counts);
  -- Without joins, because Citus sends the generic plan of a joined UPDATE or DELETE to all shards.
  update stock_movement m set
    kind = 'OPENED', change_number = null, delta = m.count_after, reason = null, reference = null, key = null
  where m.merchant_id = merchant and m.product_stock_location_id = any(counts)
    and m.sequence = numbers[array_position(counts, m.product_stock_location_id)];
  sets := array(
    select distinct m.change_set_id from stock_movement m
    where m.merchant_id = merchant and m.product_stock_location_id = any(counts)
      and m.sequence < numbers[array_position(counts, m.product_stock_location_id)]);
  delete from stock_movement m
  where m.merchant_id = merchant and m.product_stock_location_id = any(counts)
    and m.sequence < numbers[array_position(counts, m.product_stock_location_id)];
  perform remove_unused_change_sets(merchant, sets);
  return folded;
end $$;
