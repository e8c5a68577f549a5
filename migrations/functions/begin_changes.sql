-- Writes the row of `change_transaction` for plain SQL: the service writes it when it begins a transaction.
create or replace function begin_changes(
  merchant uuid, out transaction_key uuid, out kept boolean, out full_history boolean)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  -- The constraint trigger write_changes must run at the end of the transaction. After SET CONSTRAINTS ALL IMMEDIATE
  -- it would run as soon as this row is inserted, when no change is recorded yet.
  set constraints all deferred;
  insert into change_transaction as t
    (merchant_id, transaction_id, change_set_id, database_role, application_name)
  values (merchant, pg_current_xact_id(), uuid_v7(), session_user,
    case when not has_citus() then nullif(current_setting('application_name'), '') end)
  returning t.id, t.is_kept, t.is_full into transaction_key, kept, full_history;
end $$;
