-- Whether changes of the merchant are recorded. Plain SQL gets the row of `change_transaction` here that the service
-- writes when it begins a transaction.
create or replace function begin_changes(merchant uuid) returns boolean
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  kept boolean;
begin
  select t.is_kept into kept from change_transaction t
  where t.merchant_id = merchant and t.transaction_id = pg_current_xact_id();
  if found then
    return kept;
  end if;
  insert into change_transaction as t
    (merchant_id, transaction_id, change_set_id, database_role, application_name)
  values (merchant, pg_current_xact_id(), uuid_v7(), session_user,
    case when not has_citus() then nullif(current_setting('application_name'), '') end)
  returning t.is_kept into kept;
  return kept;
end $$;
