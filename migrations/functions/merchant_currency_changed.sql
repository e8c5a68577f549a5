-- Remembers when the currency of base prices changed: lowest prices of a period with two currencies are not known.
create or replace function merchant_currency_changed() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp set jit = off as $$
begin
  new.currency_since := now();
  return new;
end $$;--> statement-breakpoint
create or replace trigger merchant_currency_changed before update on merchant for each row
  when (old.currency_code <> new.currency_code) execute function merchant_currency_changed();
