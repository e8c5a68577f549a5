-- Whether the changes of a merchant are recorded, for a transaction of plain SQL that has no row in change_transaction
-- yet. Without a history it gets none.
create or replace function keeps_history(merchant uuid) returns boolean language plpgsql as $$
begin
  if current_setting('commerce.without_history', true) = merchant::text then
    return false;
  end if;
  if exists (select from merchant m where m.merchant_id = merchant and m.history_since is not null) then
    return true;
  end if;
  -- A history that begins meanwhile contains nothing of this transaction, rather than only its last statements.
  perform set_config('commerce.without_history', merchant::text, true);
  return false;
end $$;
