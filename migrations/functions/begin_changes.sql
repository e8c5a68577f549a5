-- Counts a statement that may change records of the merchant, and returns the number, with the transaction's id in the
-- history, and whether the history is full; null if the merchant has no history. Plain SQL gets the row of
-- `change_transaction` here that the service writes when it begins a transaction.
create or replace function begin_changes(
  merchant uuid, out transaction_key uuid, out statement_number integer, out full_history boolean)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  kept boolean;
begin
  update change_transaction t set statement_count = t.statement_count + 1
  where t.merchant_id = merchant and t.transaction_id = pg_current_xact_id()
  returning t.id, t.statement_count, t.is_kept, t.is_full into transaction_key, statement_number, kept, full_history;
  if not found then
    -- The constraint trigger write_changes must run at the end of the transaction. After SET CONSTRAINTS ALL IMMEDIATE
    -- it would run as soon as this row is inserted, when no change is recorded yet.
    set constraints all deferred;
    insert into change_transaction as t
      (merchant_id, transaction_id, change_set_id, statement_count, database_role, application_name)
    values (merchant, pg_current_xact_id(), uuid_v7(), 1, session_user,
      case when not has_citus() then nullif(current_setting('application_name'), '') end)
    returning t.id, t.statement_count, t.is_kept, t.is_full into transaction_key, statement_number, kept, full_history;
  end if;
  if not kept then
    statement_number := null;
  end if;
end $$;
