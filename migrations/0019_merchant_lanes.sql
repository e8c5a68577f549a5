set local citus.multi_shard_modify_mode = 'sequential';--> statement-breakpoint
set local citus.enable_unsafe_triggers = on;--> statement-breakpoint
-- The lane of one merchant's deliveries to one endpoint, from the hash of the endpoint's address. Pairs that share a
-- lane by chance share its order, and nothing else. The worker computes it too: laneOf in src/jobs/job.ts.
create function webhook_lane(merchant uuid, endpoint_key text) returns integer language sql immutable parallel safe as $$
  select -1 - ('x' || left(md5(merchant::text || endpoint_key), 7))::bit(28)::integer
$$;--> statement-breakpoint
-- Lanes that have something due, each found by one index step. Takes the place of webhook_queue_lanes, which a worker
-- of the version before may still call.
do $migration$
begin
  execute format($definition$
    create function due_webhook_lanes() returns table (lane integer, merchant uuid, endpoint_key text)
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $body$
    begin
      return query
      with recursive lanes as (
        (
          select job.priority, job.group_id, job.data from pgboss.%1$I job
          where job.name = 'webhook-delivery' and job.state < 'active' and not job.blocked and job.priority < 0 and job.start_after <= now()
          order by job.priority desc limit 1
        )
        union all
        select next.priority, next.group_id, next.data
        from lanes, lateral (
          select job.priority, job.group_id, job.data from pgboss.%1$I job
          where job.name = 'webhook-delivery' and job.state < 'active' and not job.blocked and job.priority < lanes.priority and job.start_after <= now()
          order by job.priority desc limit 1
        ) next
      )
      select lanes.priority, (lanes.data ->> 'merchantId')::uuid, lanes.group_id from lanes limit 1000;
    end $body$
  $definition$, (select queue.table_name from pgboss.queue where queue.name = 'webhook-delivery'));
end $migration$;--> statement-breakpoint
revoke execute on function due_webhook_lanes from public;--> statement-breakpoint
-- As before, and tells the workers of lanes that were filled by somebody else than a worker: they look for lanes
-- every few seconds only.
do $migration$
begin
  execute format($definition$
    create or replace function queue_webhook_deliveries(merchants uuid[], deliveries uuid[], endpoints text[], due timestamptz, lane integer, owned boolean)
    returns integer language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $body$
    declare
      queued integer;
      now_ms bigint := extract(epoch from clock_timestamp()) * 1000;
    begin
      insert into pgboss.%1$I as job (
        id, name, data, group_id, priority, start_after, created_on, keep_until, policy, dead_letter,
        retry_limit, retry_delay, retry_backoff, retry_delay_max, expire_seconds, heartbeat_seconds, deletion_seconds)
      select wanted.delivery, queue.name, jsonb_build_object('merchantId', wanted.merchant), md5(wanted.endpoint), lane, due, now(),
        due + make_interval(secs => queue.retention_seconds), queue.policy, queue.dead_letter,
        queue.retry_limit, queue.retry_delay, queue.retry_backoff, queue.retry_delay_max, queue.expire_seconds,
        queue.heartbeat_seconds, queue.deletion_seconds
      from pgboss.queue, unnest(merchants, deliveries, endpoints) as wanted(merchant, delivery, endpoint)
      where queue.name = 'webhook-delivery'
      on conflict (name, id) do update set
        state = 'created', priority = excluded.priority, start_after = excluded.start_after, created_on = excluded.created_on,
        keep_until = excluded.keep_until, started_on = null, heartbeat_on = null, completed_on = null, retry_count = 0, output = null
      where owned or job.state > 'active' or job.start_after > excluded.start_after;
      get diagnostics queued = row_count;
      if queued = 0 and not exists (select from pgboss.queue where queue.name = 'webhook-delivery') then
        raise exception 'The queue webhook-delivery is missing, so this change cannot be told to its webhooks.' using errcode = 'WH001';
      end if;
      if due <= now() and lane < 0 and not owned then
        perform pg_notify('webhook_delivery', 'lanes');
      -- Commits that notify wait for one lock, a write to the disk long. Few have to do: a worker that was woken stays awake a while.
      elsif due <= now() and now_ms > coalesce(pg_sequence_last_value('webhook_wake_up'::regclass), 0) + 20 then
        perform setval('webhook_wake_up'::regclass, now_ms), pg_notify('webhook_delivery', '');
      end if;
      return queued;
    end $body$
  $definition$, (select queue.table_name from pgboss.queue where queue.name = 'webhook-delivery'));
end $migration$;--> statement-breakpoint
-- A statement with many deliveries of one merchant to one endpoint fills that pair's own lane: in the common lane
-- everybody else's deliveries would wait behind them.
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
end $$;
