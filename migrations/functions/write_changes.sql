-- Writes the changes of a transaction at its end: one for each record of which something differs, with the next number
-- of the record.
-- After transactions of many records PostgreSQL expects many parts of each, and would read the whole table.
create or replace function write_changes() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set jit = off
  set enable_seqscan = off as $$
declare
  merchant uuid := new.merchant_id;
  ended change_transaction;
  ids uuid[];
  types text[];
  kinds text[];
  are_truncated boolean[];
  sizes bigint[];
  stamped uuid[];
  unlocked uuid[];
  is_repeated boolean;
  numbers integer[];
  times_ms bigint[];
  change_ids uuid[];
begin
  if not new.is_kept then
    delete from change_transaction t where t.merchant_id = merchant and t.transaction_id = new.transaction_id;
    return null;
  end if;
  -- The events of products are written after this, and name the changes. write_product_events deletes the row then.
  if exists (select from webhook_change c where c.merchant_id = merchant and c.transaction_id = new.transaction_id) then
    select t.* into ended from change_transaction t
    where t.merchant_id = merchant and t.transaction_id = new.transaction_id;
  else
    delete from change_transaction t where t.merchant_id = merchant and t.transaction_id = new.transaction_id
    returning t.* into ended;
  end if;
  loop
    select array_agg(r.record_id) filter (where not r.is_stamped),
      array_agg(r.record_type) filter (where not r.is_stamped), array_agg(r.kind) filter (where not r.is_stamped),
      array_agg(r.truncated) filter (where not r.is_stamped),
      array_agg(r.bytes) filter (where not r.is_stamped),
      array_agg(r.record_id) filter (where r.is_stamped),
      array_agg(r.record_id) filter (where not r.is_stamped and not r.is_locked), bool_or(r.is_repeated)
    into ids, types, kinds, are_truncated, sizes, stamped, unlocked, is_repeated
    from (
      select p.record_id, p.record_type, bool_or(p.truncated) as truncated,
        sum(coalesce(octet_length(p.before::text), 0) + coalesce(octet_length(p.after::text), 0)) as bytes,
        count(*) > count(distinct p.part) as is_repeated, bool_and(p.row_change = 'STAMPED') as is_stamped,
        p.record_type <> 'PRODUCT' or bool_or(p.part = '') as is_locked,
        coalesce(max(case p.row_change
          when 'INSERTED' then 'CREATED' when 'REMOVED' then 'DELETED'
          when 'DELETED' then 'DELETED' when 'RESTORED' then 'RESTORED'
        end), 'UPDATED') as kind
      from change_part p
      where p.merchant_id = merchant and p.change_transaction_id = ended.id
      group by p.record_id, p.record_type
      -- All transactions write in one order, which prevents deadlocks.
      order by p.record_id, p.record_type
    ) r;
    exit when is_repeated is not true;
    perform merge_change_parts(merchant, ended.id);
  end loop;
  if stamped is not null then
    -- A save without any other effect is no change.
    delete from change_part p
    where p.merchant_id = merchant and p.change_transaction_id = ended.id and p.record_id = any(stamped)
      and p.row_change = 'STAMPED';
  end if;
  if ids is null then
    return null;
  end if;
  if unlocked is not null then
    -- A transaction can change a part of a product without locking the product. write_product_events locks it
    -- afterwards, so it is locked here, before the numbers are.
    perform from product p where p.merchant_id = merchant and p.id = any(unlocked) order by p.id for no key update;
  end if;
  select n.last_numbers, n.last_times_ms into numbers, times_ms
  from number_changes(merchant, ids, types, array_fill(1, array[cardinality(ids)])) n;
  change_ids := array(
    select uuid_v7_at(to_timestamp(c.at_ms / 1000.0)) from unnest(times_ms) with ordinality as c(at_ms, place)
    order by c.place);
  insert into change
    (merchant_id, id, record_type, record_id, number, kind, change_transaction_id, change_set_id, authorized_app_id,
      truncated, bytes, created_at)
  select merchant, r.change_id, r.type, r.id, r.number, r.kind, ended.id, ended.change_set_id,
    ended.authorized_app_id, r.truncated, r.bytes, to_timestamp(r.at_ms / 1000.0)
  from unnest(ids, types, kinds, are_truncated, sizes, numbers, times_ms, change_ids)
    as r(id, type, kind, truncated, bytes, number, at_ms, change_id);
  insert into change_set
    (merchant_id, id, authorized_app_id, operation, request_id, idempotency_key, reverts_change_set_id,
      reverts_movement_ids, actor, database_role, application_name, created_at)
  values
    (merchant, ended.change_set_id, ended.authorized_app_id, ended.operation, ended.request_id,
      ended.idempotency_key, ended.reverts_change_set_id, ended.reverts_movement_ids, ended.actor,
      ended.database_role, ended.application_name, now())
  on conflict (merchant_id, id) do nothing;
  return null;
end $$;--> statement-breakpoint
-- Constraint triggers have no CREATE OR REPLACE. DROP would wait for all that read the table, such as pg_dump, and all
-- writers would wait for DROP.
do $$
begin
  if not exists (
    select from pg_trigger t where t.tgrelid = 'change_transaction'::regclass and t.tgname = 'write_changes')
  then
    create constraint trigger write_changes after insert on change_transaction deferrable initially deferred
      for each row execute function write_changes();
  end if;
end $$;--> statement-breakpoint
-- One plan of each statement for all transactions: planning takes longer than the execution for one record. Citus
-- refuses this setting.
do $$
begin
  if not has_citus() then
    alter function write_changes set plan_cache_mode = force_generic_plan;
  end if;
end $$;
