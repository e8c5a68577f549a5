-- Writes the changes of a transaction at its end: one for each record of which something differs, with the next number
-- of the record. Changes of a record are ordered by the lock of its row in changed_record, and so are their times.
create or replace function write_changes() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  merchant uuid := new.merchant_id;
  ended change_transaction;
  ids uuid[];
  types text[];
  kinds text[];
  are_truncated boolean[];
  versions integer[];
  times timestamptz[];
begin
  delete from change_transaction t
  where t.merchant_id = merchant and t.transaction_id = new.transaction_id
  returning t.* into ended;
  if ended.statement_count = 0 then
    return null;
  end if;
  if ended.statement_count > 1 then
    perform merge_change_parts(merchant, ended.id);
  end if;
  select array_agg(r.record_id), array_agg(r.record_type), array_agg(r.kind), array_agg(r.truncated)
  into ids, types, kinds, are_truncated
  from (
    select p.record_id, p.record_type, bool_or(p.truncated) as truncated,
      coalesce(max(case p.row_change
        when 'INSERTED' then 'CREATED' when 'REMOVED' then 'DELETED' when 'UPDATED' then null else p.row_change
      end), 'UPDATED') as kind
    from change_part p
    where p.merchant_id = merchant and p.change_transaction_id = ended.id
    group by p.record_id, p.record_type
    -- All transactions write in one order, which prevents deadlocks.
    order by p.record_id, p.record_type
  ) r;
  if ids is null then
    return null;
  end if;
  if 'PRODUCT' = any(types) then
    -- A transaction can change a part of a product without locking the product. write_product_events locks it
    -- afterwards, so it is locked here, before the numbers are.
    perform from product p where p.merchant_id = merchant and p.id = any(ids) order by p.id for no key update;
  end if;
  select array_agg(s.version order by s.place), array_agg(s.updated_at order by s.place) into versions, times
  from record_stamps(merchant, ids, types) s;
  insert into changed_record as known
    (merchant_id, record_id, record_type, number, changed_at, record_updated_at, record_version)
  select merchant, r.id, r.type, 1, date_trunc('milliseconds', clock_timestamp()), r.updated_at, r.version
  from unnest(ids, types, times, versions) with ordinality as r(id, type, updated_at, version, place)
  order by r.place
  on conflict (merchant_id, record_id, record_type) do update set
    number = known.number + 1,
    changed_at = greatest(excluded.changed_at, known.changed_at + interval '1 millisecond'),
    former_updated_at = known.record_updated_at, former_version = known.record_version,
    record_updated_at = excluded.record_updated_at, record_version = excluded.record_version;
  insert into change
    (merchant_id, id, record_type, record_id, number, kind, change_transaction_id, change_set_id, authorized_app_id,
      truncated, record_updated_at, record_version, former_updated_at, former_version, created_at)
  select merchant, uuid_v7_at(k.changed_at), r.type, r.id, k.number, r.kind, ended.id, ended.change_set_id,
    ended.authorized_app_id, r.truncated, k.record_updated_at, k.record_version, k.former_updated_at,
    k.former_version, k.changed_at
  from unnest(ids, types, kinds, are_truncated) as r(id, type, kind, truncated)
  join changed_record k on k.merchant_id = merchant and k.record_id = r.id and k.record_type = r.type;
  insert into change_set
    (merchant_id, id, authorized_app_id, operation, request_id, idempotency_key, reverts_change_set_id,
      actor, database_role, application_name, created_at)
  values
    (merchant, ended.change_set_id, ended.authorized_app_id, ended.operation, ended.request_id,
      ended.idempotency_key, ended.reverts_change_set_id, ended.actor, ended.database_role, ended.application_name,
      now())
  on conflict (merchant_id, id) do nothing;
  return null;
end $$;--> statement-breakpoint
-- Constraint triggers have no CREATE OR REPLACE.
drop trigger if exists write_changes on change_transaction;--> statement-breakpoint
create constraint trigger write_changes after insert on change_transaction deferrable initially deferred
  for each row execute function write_changes();
