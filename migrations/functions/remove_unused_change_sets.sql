-- Removes those of the change sets that have no changes and no stock movements any more. Only for old change sets: the
-- transaction of a new one may still be running, and its changes are not visible yet.
create or replace function remove_unused_change_sets(merchant uuid, sets uuid[]) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  unused uuid[];
begin
  -- The removals of changes and of movements run at the same time. The second one sees what the first has removed.
  perform from change_set s where s.merchant_id = merchant and s.id = any(sets) order by s.id for update;
  -- Two statements, because Citus sends the generic plan of a joined DELETE to all shards.
  unused := array(
    select s.id from change_set s
    where s.merchant_id = merchant and s.id = any(sets)
      and not exists (select from change c where c.merchant_id = merchant and c.change_set_id = s.id)
      and not exists (select from stock_movement m where m.merchant_id = merchant and m.change_set_id = s.id));
  delete from change_set s where s.merchant_id = merchant and s.id = any(unused);
end $$;
