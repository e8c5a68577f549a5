-- Queues the jobs of deliveries that are due now: for the trigger of the ledger, for the relay on a cluster, and for
-- deliveries that are sent again. Many deliveries of one merchant to one endpoint use the lane of that endpoint: in the
-- lane of the merchant its other deliveries would wait behind them.
create or replace function queue_new_webhook_deliveries(
  merchants uuid[], deliveries uuid[], endpoints text[], owned boolean default false)
returns integer language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  many constant integer := 100;
  queued integer := 0;
  part record;
begin
  if cardinality(deliveries) <= many then
    return queue_webhook_deliveries(merchants, deliveries, endpoints, now(), 0, owned);
  end if;
  for part in
    select case when d.together > many then -1 else 0 end as lane,
      array_agg(d.merchant) as merchants, array_agg(d.delivery) as deliveries, array_agg(d.endpoint) as endpoints
    from (
      select d.merchant, d.delivery, d.endpoint, count(*) over (partition by d.merchant, d.endpoint) as together
      from unnest(merchants, deliveries, endpoints) as d(merchant, delivery, endpoint)
    ) d
    group by 1
  loop
    queued := queued
      + queue_webhook_deliveries(part.merchants, part.deliveries, part.endpoints, now(), part.lane, owned);
    if part.lane < 0 then
      -- Workers look for filled lanes of endpoints only every few seconds.
      perform pg_notify('webhook_delivery', 'lanes');
    end if;
  end loop;
  return queued;
end $$;--> statement-breakpoint
revoke execute on function queue_new_webhook_deliveries from public;
