-- Returns the transaction and the change set that movements of this transaction belong to, and writes the change set,
-- also for a merchant without a history: movements are kept in any case. Sequential scans are off: the planner chooses
-- one while change_transaction is empty, and the kept plan becomes slow when an old snapshot keeps deleted rows in the
-- table.
create or replace function begin_stock_movements(
  merchant uuid, out transaction_key uuid, out set_id uuid, out app_id uuid, out operation_name text,
  out is_revert boolean)
language plpgsql set search_path = pg_catalog, public, pg_temp set enable_seqscan = off as $$
declare
  begun change_transaction;
begin
  select t.* into begun from change_transaction t
  where t.merchant_id = merchant and t.transaction_id = pg_current_xact_id();
  if not found then
    -- Plain SQL.
    perform begin_changes(merchant);
    select t.* into begun from change_transaction t
    where t.merchant_id = merchant and t.transaction_id = pg_current_xact_id();
  end if;
  insert into change_set
    (merchant_id, id, authorized_app_id, operation, request_id, idempotency_key, reverts_change_set_id,
      reverts_movement_ids, actor, database_role, application_name, created_at)
  values
    (merchant, begun.change_set_id, begun.authorized_app_id, begun.operation, begun.request_id,
      begun.idempotency_key, begun.reverts_change_set_id, begun.reverts_movement_ids, begun.actor,
      begun.database_role, begun.application_name, now())
  on conflict (merchant_id, id) do nothing;
  transaction_key := begun.id;
  set_id := begun.change_set_id;
  app_id := begun.authorized_app_id;
  operation_name := begun.operation;
  -- A revert of changes of several change sets names none of them.
  is_revert := begun.reverts_change_set_id is not null or begun.reverts_movement_ids is not null;
end $$;
