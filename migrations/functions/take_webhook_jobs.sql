-- Takes due jobs from the lanes of merchants, as pg-boss takes jobs: the same number from each lane, the oldest first. Only
-- from lanes below `below`, and none from the lanes `except_lanes`. The lanes are found by a loose index scan: one index
-- look-up for each, however many jobs it has.
-- pgboss.ja3531bb176c4e3895371150251f0cbafb2e4c39078197789fd65de9f is pg-boss' table of the queue webhook-delivery.
create or replace function take_webhook_jobs(max_jobs integer, below integer, except_lanes integer[])
returns table (id uuid, merchant uuid, endpoint_key text, retry_count integer)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  due_lanes integer[];
begin
  with recursive known as (
    (
      select job.priority from pgboss.ja3531bb176c4e3895371150251f0cbafb2e4c39078197789fd65de9f job
      where job.name = 'webhook-delivery' and job.state < 'active' and not job.blocked
        and job.priority >= 0 and job.priority < below and job.start_after <= now()
      order by job.priority desc limit 1
    )
    union all
    select next.priority
    from known, lateral (
      select job.priority from pgboss.ja3531bb176c4e3895371150251f0cbafb2e4c39078197789fd65de9f job
      where job.name = 'webhook-delivery' and job.state < 'active' and not job.blocked
        and job.priority >= 0 and job.priority < known.priority and job.start_after <= now()
      order by job.priority desc limit 1
    ) next
  )
  select array_agg(due.priority) into due_lanes from (
    select known.priority from known where known.priority <> all(except_lanes) limit max_jobs
  ) due;
  if due_lanes is null then
    return;
  end if;
  return query
  update pgboss.ja3531bb176c4e3895371150251f0cbafb2e4c39078197789fd65de9f as job
  set state = 'active', started_on = now(), heartbeat_on = now(),
    retry_count = case when job.started_on is null then job.retry_count else job.retry_count + 1 end
  where job.name = 'webhook-delivery' and job.id = any(array(
    select picked.id
    from unnest(due_lanes) as due(lane), lateral (
      select job.id from pgboss.ja3531bb176c4e3895371150251f0cbafb2e4c39078197789fd65de9f job
      where job.name = 'webhook-delivery' and job.state < 'active' and not job.blocked
        and job.priority = due.lane and job.start_after <= now()
      order by job.created_on limit greatest(max_jobs / cardinality(due_lanes), 1) for update skip locked
    ) picked))
  returning job.id, (job.data ->> 'merchantId')::uuid, job.group_id, job.retry_count;
end $$;
