-- Sets what only the node with the merchant's rows knows: its transaction, and whether the merchant has a history.
create or replace function change_transaction_begun() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set jit = off as $$
begin
  new.transaction_id := pg_current_xact_id();
  select m.history_since is not null, m.is_history_full into new.is_kept, new.is_full
  from merchant m where m.merchant_id = new.merchant_id;
  new.is_kept := coalesce(new.is_kept, false);
  new.is_full := coalesce(new.is_full, false);
  return new;
end $$;--> statement-breakpoint
create or replace trigger change_transaction_begun before insert on change_transaction
  for each row execute function change_transaction_begun();
