-- Returns jobs to the queue that a worker has taken and made no request for: to the lanes of their endpoints or of
-- their merchants. They keep their places there. A job that was released or removed meanwhile is left alone, and so is
-- one that a transaction has locked: its merchant queues it again just now, and may need seconds, in which the jobs of
-- all others would wait for the connection.
-- pgboss.ja3531bb176c4e3895371150251f0cbafb2e4c39078197789fd65de9f is pg-boss' table of the queue webhook-delivery.
create or replace function return_webhook_jobs(jobs uuid[], by_endpoint boolean) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update pgboss.ja3531bb176c4e3895371150251f0cbafb2e4c39078197789fd65de9f as job
  set state = 'created', started_on = null, heartbeat_on = null, retry_count = 0, start_after = now(),
    priority = case when by_endpoint then webhook_lane((job.data ->> 'merchantId')::uuid, job.group_id)
      else webhook_merchant_lane((job.data ->> 'merchantId')::uuid) end
  where job.name = 'webhook-delivery' and job.id = any(array(
    select taken.id from pgboss.ja3531bb176c4e3895371150251f0cbafb2e4c39078197789fd65de9f taken
    where taken.name = 'webhook-delivery' and taken.id = any(jobs) and taken.state = 'active'
    for update skip locked));
  if not by_endpoint then
    perform pg_notify('webhook_delivery', '');
  end if;
end $$;--> statement-breakpoint
revoke execute on function return_webhook_jobs from public;
