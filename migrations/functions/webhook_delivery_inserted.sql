-- Queues the jobs of new deliveries. A statement with many deliveries of one merchant to one endpoint uses a lane of
-- its own: in the common lane all other deliveries would wait behind them.
create or replace function webhook_delivery_inserted() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  many constant integer := 100;
  merchants uuid[];
  deliveries uuid[];
  endpoints text[];
  part record;
begin
  select array_agg(i.merchant_id), array_agg(i.id), array_agg(i.endpoint) into merchants, deliveries, endpoints
  from inserted i where i.next_attempt_at is not null;
  if deliveries is null then
    return null;
  end if;
  if cardinality(deliveries) <= many then
    perform queue_webhook_deliveries(merchants, deliveries, endpoints, now(), 0, false);
    return null;
  end if;
  for part in
    select case when d.together > many then webhook_lane(d.merchant, md5(d.endpoint)) else 0 end as lane,
      array_agg(d.merchant) as merchants, array_agg(d.delivery) as deliveries, array_agg(d.endpoint) as endpoints
    from (
      select d.merchant, d.delivery, d.endpoint, count(*) over (partition by d.merchant, d.endpoint) as together
      from unnest(merchants, deliveries, endpoints) as d(merchant, delivery, endpoint)
    ) d
    group by 1
  loop
    perform queue_webhook_deliveries(part.merchants, part.deliveries, part.endpoints, now(), part.lane, false);
  end loop;
  return null;
end $$;--> statement-breakpoint
-- Not with Citus: shards cannot reach the queue.
do $$
begin
  if not has_citus() then
    create or replace trigger queue_webhook_deliveries after insert on webhook_delivery
      referencing new table as inserted for each statement execute function webhook_delivery_inserted();
  end if;
end $$;
