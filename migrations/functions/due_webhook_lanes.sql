-- Lanes of endpoints with due jobs, by a loose index scan: one index look-up for each lane. Only lanes below `below`,
-- at most `max_lanes`: the next call continues below the last one.
-- pgboss.ja3531bb176c4e3895371150251f0cbafb2e4c39078197789fd65de9f is pg-boss' table of the queue webhook-delivery.
create or replace function due_webhook_lanes(below integer default 0, max_lanes integer default 1000)
returns table (lane integer, merchant uuid, endpoint_key text)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return query
  with recursive lanes as (
    (
      select job.priority, job.group_id, job.data
      from pgboss.ja3531bb176c4e3895371150251f0cbafb2e4c39078197789fd65de9f job
      where job.name = 'webhook-delivery' and job.state < 'active' and not job.blocked
        and job.priority < below and job.start_after <= now()
      order by job.priority desc limit 1
    )
    union all
    select next.priority, next.group_id, next.data
    from lanes, lateral (
      select job.priority, job.group_id, job.data
      from pgboss.ja3531bb176c4e3895371150251f0cbafb2e4c39078197789fd65de9f job
      where job.name = 'webhook-delivery' and job.state < 'active' and not job.blocked
        and job.priority < lanes.priority and job.start_after <= now()
      order by job.priority desc limit 1
    ) next
  )
  select lanes.priority, (lanes.data ->> 'merchantId')::uuid, lanes.group_id from lanes limit max_lanes;
end $$;--> statement-breakpoint
revoke execute on function due_webhook_lanes from public;
