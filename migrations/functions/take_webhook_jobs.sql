-- Takes due jobs from lanes, as pg-boss takes jobs: the same number from each, the oldest first. The ids are compared
-- with an array, not joined: with statistics from before many jobs were added, pg-boss' own statement joined by a
-- nested loop.
-- pgboss.ja3531bb176c4e3895371150251f0cbafb2e4c39078197789fd65de9f is pg-boss' table of the queue webhook-delivery.
create or replace function take_webhook_jobs(lanes integer[], max_jobs integer)
returns table (id uuid, merchant uuid, endpoint_key text, retry_count integer)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  return query
  update pgboss.ja3531bb176c4e3895371150251f0cbafb2e4c39078197789fd65de9f as job
  set state = 'active', started_on = now(), heartbeat_on = now(),
    retry_count = case when job.started_on is null then job.retry_count else job.retry_count + 1 end
  where job.name = 'webhook-delivery' and job.id = any(array(
    select picked.id
    from unnest(lanes) as due(lane), lateral (
      select job.id from pgboss.ja3531bb176c4e3895371150251f0cbafb2e4c39078197789fd65de9f job
      where job.name = 'webhook-delivery' and job.state < 'active' and not job.blocked
        and job.priority = due.lane and job.start_after <= now()
      order by job.created_on limit greatest(max_jobs / cardinality(lanes), 1) for update skip locked
    ) picked))
  returning job.id, (job.data ->> 'merchantId')::uuid, job.group_id, job.retry_count;
end $$;
