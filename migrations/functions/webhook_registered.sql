-- Enables the event triggers when the first webhook for their kind of record is registered.
create or replace function webhook_registered() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform nextval('customer_webhooks'::regclass) from registered r where r.scope like 'store/customer/%' limit 1;
  perform nextval('product_webhooks'::regclass) from registered r where r.scope like 'store/product/%' limit 1;
  perform nextval('stock_webhooks'::regclass) from registered r where r.scope like 'store/stock/%' limit 1;
  return null;
end $$;--> statement-breakpoint
create or replace trigger count_registrations after insert on webhook
  referencing new table as registered for each statement execute function webhook_registered();--> statement-breakpoint
-- Every writer of a record reads these sequences.
grant select, usage on sequence customer_webhooks, product_webhooks, stock_webhooks to public;
