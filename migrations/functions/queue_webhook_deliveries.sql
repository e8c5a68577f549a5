-- Queues jobs for deliveries. The ledger's trigger and the service use only this function. There is at most one job per
-- delivery. A job that a worker has fetched is left alone, unless the caller is that worker (`owned`).
-- `lane`: 0 for the lanes of the merchants, -1 for those of the endpoints. (Earlier versions pass the number of the
-- endpoint's lane, which is negative too.)
-- Names the partition instead of pgboss.job, as pg-boss does: routing a row to its partition costs as much as writing
-- it.
-- Notifies only of the lanes of merchants: a worker knows the lanes of endpoints that it fills itself.
-- pgboss.ja3531bb176c4e3895371150251f0cbafb2e4c39078197789fd65de9f is pg-boss' table of the queue webhook-delivery.
create or replace function queue_webhook_deliveries(
  merchants uuid[], deliveries uuid[], endpoints text[], due timestamptz, lane integer, owned boolean)
returns integer language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  queued integer;
  now_ms bigint := extract(epoch from clock_timestamp()) * 1000;
begin
  insert into pgboss.ja3531bb176c4e3895371150251f0cbafb2e4c39078197789fd65de9f as job (
    id, name, data, group_id, priority, start_after, created_on, keep_until, policy, dead_letter,
    retry_limit, retry_delay, retry_backoff, retry_delay_max, expire_seconds, heartbeat_seconds, deletion_seconds)
  select wanted.delivery, queue.name, jsonb_build_object('merchantId', wanted.merchant), md5(wanted.endpoint),
    case when lane < 0 then webhook_lane(wanted.merchant, md5(wanted.endpoint))
      else webhook_merchant_lane(wanted.merchant) end,
    due, now(), due + make_interval(secs => queue.retention_seconds), queue.policy, queue.dead_letter,
    queue.retry_limit, queue.retry_delay, queue.retry_backoff, queue.retry_delay_max, queue.expire_seconds,
    queue.heartbeat_seconds, queue.deletion_seconds
  from pgboss.queue, unnest(merchants, deliveries, endpoints) as wanted(merchant, delivery, endpoint)
  where queue.name = 'webhook-delivery'
  on conflict (name, id) do update set
    state = 'created', group_id = excluded.group_id, priority = excluded.priority,
    start_after = excluded.start_after, created_on = excluded.created_on, keep_until = excluded.keep_until,
    started_on = null, heartbeat_on = null, completed_on = null, retry_count = 0, output = null
  where owned or job.state > 'active' or job.start_after > excluded.start_after;
  get diagnostics queued = row_count;
  if queued = 0 then
    if not exists (select from pgboss.queue where queue.name = 'webhook-delivery') then
      raise exception 'The queue webhook-delivery is missing, so the webhooks of this change cannot be queued.'
        using errcode = 'WH001';
    end if;
  end if;
  -- All commits that notify wait for one lock during a write to disk. So at most one in 20 ms notifies: a worker that
  -- was notified keeps polling for longer than that.
  -- PostgreSQL sends a notification at the commit, but its time is stored at once, and others do not notify then. So a
  -- transaction that may commit late or never does not store the time: a dry run, and one that has lasted for 100 ms.
  -- Of other transactions that fail the worker learns by the sequence: it reads it every ten seconds, and polls each
  -- second while its time changes.
  -- The time of the last notification is in the future if the clock was set back since.
  if lane >= 0 and due <= now() and current_setting('commerce.is_dry_run', true) is distinct from 'on'
    and now_ms - coalesce(pg_sequence_last_value('webhook_wake_up'::regclass), 0) not between 0 and 20 then
    if clock_timestamp() - now() < interval '100 ms' then
      perform setval('webhook_wake_up'::regclass, now_ms);
    end if;
    perform pg_notify('webhook_delivery', '');
  end if;
  return queued;
end $$;--> statement-breakpoint
revoke execute on function queue_webhook_deliveries from public;
