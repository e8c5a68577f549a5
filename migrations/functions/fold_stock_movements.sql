-- Replaces old movements of a merchant by one movement for each stock count. Reads the first `batch` movements with
-- ids between `after_id` and `before_id`. The remaining movement of a count has the sum of the others, and the sequence
-- of the last one; it belongs to no change any more. The change sets of the removed movements are removed too.
-- Movements that an earlier call has made are left as they are. Returns the number of replaced movements, and the last
-- id that was read, or null if no movements follow.
create or replace function fold_stock_movements(
  merchant uuid, after_id uuid, before_id uuid, batch integer, out folded integer, out last_id uuid)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  passed uuid[];
  counts uuid[];
  numbers integer[];
  last_ids uuid[];
  older_ids uuid[];
  sets uuid[];
begin
  passed := array(
    select m.id from stock_movement m
    where m.merchant_id = merchant and m.id > after_id and m.id < before_id order by m.id limit batch);
  last_id := case when cardinality(passed) = batch then passed[batch] end;
  select array_agg(o.count_id), array_agg(o.number), array_agg(o.last_id), coalesce(sum(o.movements), 0)
  into counts, numbers, last_ids, folded
  from (
    select m.product_stock_location_id as count_id, max(m.sequence) as number, count(*) as movements,
      (array_agg(m.id order by m.sequence desc))[1] as last_id
    from stock_movement m
    where m.merchant_id = merchant and m.id = any(passed) and m.change_number is not null
    group by m.product_stock_location_id
  ) o;
  if folded = 0 then
    return;
  end if;
  perform lock_stock_counts(merchant, counts);
  -- `offset 0` keeps the planner from turning the subquery into a join. So each count's older movements are read from
  -- an index up to its number, and not the later ones, which can be millions, while the counts are locked.
  select array_agg(o.id), array_agg(distinct o.change_set_id) into older_ids, sets
  from unnest(counts, numbers) as c(id, number)
  cross join lateral (
    select m.id, m.change_set_id from stock_movement m
    where m.merchant_id = merchant and m.product_stock_location_id = c.id and m.sequence < c.number offset 0
  ) o;
  -- By ids, because Citus sends the generic plan of a joined UPDATE or DELETE to all shards.
  update stock_movement m set
    kind = 'OPENED', change_number = null, delta = m.count_after, reason = null, reference = null, key = null
  where m.merchant_id = merchant and m.id = any(last_ids);
  delete from stock_movement m where m.merchant_id = merchant and m.id = any(older_ids);
  perform remove_unused_change_sets(merchant, sets);
end $$;
