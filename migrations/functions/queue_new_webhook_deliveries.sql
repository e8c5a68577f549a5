-- Queues the jobs of new deliveries, for the trigger of the ledger and, on a cluster, for the relay. Many deliveries of
-- one merchant to one endpoint use a lane of their own: in the common lane all other deliveries would wait behind them.
create or replace function queue_new_webhook_deliveries(merchants uuid[], deliveries uuid[], endpoints text[]) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  many constant integer := 100;
  part record;
begin
  if cardinality(deliveries) <= many then
    perform queue_webhook_deliveries(merchants, deliveries, endpoints, now(), 0, false);
    return;
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
end $$;--> statement-breakpoint
revoke execute on function queue_new_webhook_deliveries from public;
