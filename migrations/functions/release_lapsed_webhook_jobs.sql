-- Returns jobs to the queue that a worker fetched and neither completed nor released.
-- pgboss.ja3531bb176c4e3895371150251f0cbafb2e4c39078197789fd65de9f is pg-boss' table of the queue webhook-delivery.
create or replace function release_lapsed_webhook_jobs(lapsed_after interval) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  released integer;
begin
  update pgboss.ja3531bb176c4e3895371150251f0cbafb2e4c39078197789fd65de9f as job
  set state = 'created', start_after = now(), started_on = null, heartbeat_on = null, retry_count = 0
  where job.name = 'webhook-delivery' and job.id = any(array(
    select lapsed.id
    from pgboss.ja3531bb176c4e3895371150251f0cbafb2e4c39078197789fd65de9f lapsed
    where lapsed.name = 'webhook-delivery' and lapsed.state = 'active' and lapsed.group_id is not null
      and lapsed.started_on < now() - lapsed_after
    for update skip locked));
  get diagnostics released = row_count;
  return released;
end $$;--> statement-breakpoint
revoke execute on function release_lapsed_webhook_jobs from public;
