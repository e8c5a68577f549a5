-- Queues the jobs of new deliveries in the transaction of the change.
create or replace function webhook_delivery_inserted() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set jit = off as $$
declare
  merchants uuid[];
  deliveries uuid[];
  endpoints text[];
begin
  select array_agg(i.merchant_id), array_agg(i.id), array_agg(i.endpoint) into merchants, deliveries, endpoints
  from inserted i where i.next_attempt_at is not null;
  if deliveries is not null then
    perform queue_new_webhook_deliveries(merchants, deliveries, endpoints);
  end if;
  return null;
end $$;--> statement-breakpoint
-- The trigger is not created on a cluster, whose shards cannot reach the queue. There the relay of the worker makes the
-- jobs of the deliveries that are not marked as queued.
do $$
begin
  if not has_citus() then
    create or replace trigger queue_webhook_deliveries after insert on webhook_delivery
      referencing new table as inserted for each statement execute function webhook_delivery_inserted();
  end if;
end $$;
