-- Deletes the rows of webhook_record of removed holds. The id of a removed hold is never used again, so that the
-- numbers of its events need not continue. Shops make and remove millions of holds.
create or replace function stock_hold_removed() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set jit = off as $$
declare
  merchant uuid;
  merchants_done uuid[] := '{}';
  ids uuid[];
  app_ids uuid[];
begin
  for merchant in select o.merchant_id from old_rows o loop
    continue when merchant = any(merchants_done);
    merchants_done := merchants_done || merchant;
    ids := array(select o.id from old_rows o where o.merchant_id = merchant);
    -- The rows are found by app and record, because the primary key has the app before the record.
    app_ids := array(select a.id from authorized_app a where a.merchant_id = merchant);
    delete from webhook_record r
    where r.merchant_id = merchant and r.authorized_app_id = any(app_ids) and r.record_id = any(ids);
  end loop;
  return null;
end $$;--> statement-breakpoint
create or replace trigger stock_hold_removed after delete on stock_hold referencing old table as old_rows
  for each statement execute function stock_hold_removed();
