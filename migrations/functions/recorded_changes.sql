-- What the current transaction has changed in a record so far, for a webhook that includes changes: the paths of the
-- members that differ, and their former values. Both are empty for a new record and for an erased customer, and null if
-- the merchant has no history, or if `type` is null: changes of such records are not recorded. If a change is recorded
-- without values, because the history is full or a value is too large, or if they have more than `bytes_max`, they are
-- null, and `left_out` names them.
-- Sequential scans are off; `begin_stock_movements` says why.
create or replace function recorded_changes(
  merchant uuid, record uuid, type text, bytes_max integer, out changes text, out left_out text)
language plpgsql stable set search_path = pg_catalog, public, pg_temp set enable_seqscan = off as $$
declare
  transaction_key uuid;
  set_ids uuid[];
  is_empty boolean;
  is_unknown boolean := false;
  paths text;
  previous text;
begin
  select t.id, coalesce(t.change_set_ids, array[t.change_set_id]) into transaction_key, set_ids
  from change_transaction t
  where t.merchant_id = merchant and t.transaction_id = pg_current_xact_id() and t.is_kept and type is not null;
  if transaction_key is not null then
    is_empty := exists (
      select from change_part p
      where p.merchant_id = merchant and p.change_transaction_id = transaction_key and p.record_id = record
        and p.record_type = type and p.row_change = 'INSERTED')
      or type = 'PRODUCT_STOCK_LOCATION' and exists (
        select from stock_movement m
        where m.merchant_id = merchant and m.change_set_id = any(set_ids) and m.product_stock_location_id = record
          and m.sequence = 1 and m.change_transaction_id = transaction_key)
      or type = 'CUSTOMER' and exists (
        select from customer c where c.merchant_id = merchant and c.id = record and c.erasure_id is not null);
    is_unknown := not is_empty and exists (
      select from change_part p
      where p.merchant_id = merchant and p.change_transaction_id = transaction_key and p.record_id = record
        and p.record_type = type and p.truncated);
    select coalesce(json_agg(d.path order by d.path collate "C"), '[]')::text,
      coalesce(
        json_object_agg(d.path, d.before::json order by d.path collate "C") filter (where d.before is not null),
        '{}')::text
    into paths, previous
    from (
      select m.path, (array_agg(m.before order by p.statement))[1] as before,
        (array_agg(m.after order by p.statement desc))[1] as after
      from change_part p cross join lateral part_members(p.part, p.before, p.after) m
      where p.merchant_id = merchant and p.change_transaction_id = transaction_key and p.record_id = record
        and p.record_type = type and not is_empty
      group by m.path
      union all
      select 'stockCount', trim_scale((array_agg(m.count_after - m.delta order by m.sequence))[1])::text,
        trim_scale((array_agg(m.count_after order by m.sequence desc))[1])::text
      from stock_movement m
      where type = 'PRODUCT_STOCK_LOCATION' and m.merchant_id = merchant and m.change_set_id = any(set_ids)
        and m.product_stock_location_id = record and m.change_transaction_id = transaction_key and not is_empty
      having count(*) > 0
    ) d
    where d.before is distinct from d.after and json_differs(d.before, d.after);
  end if;
  if is_unknown then
    paths := null;
    previous := null;
    left_out := '["changedPaths","previous"]';
  elsif octet_length(paths) + octet_length(previous) > bytes_max then
    previous := null;
    left_out := '["previous"]';
    if octet_length(paths) > bytes_max then
      paths := null;
      left_out := '["changedPaths","previous"]';
    end if;
  end if;
  changes := json_build_object('changedPaths', paths::json, 'previous', previous)::text;
end $$;
