-- Lanes of merchants with due jobs, by a loose index scan: one index look-up for each lane, however many jobs it has.
-- Only lanes below `below`, without `except_lanes`, at most `max_lanes`.
-- pgboss.ja3531bb176c4e3895371150251f0cbafb2e4c39078197789fd65de9f is pg-boss' table of the queue webhook-delivery.
create or replace function due_merchant_lanes(below integer, except_lanes integer[], max_lanes integer)
returns integer[] language sql stable set search_path = pg_catalog, public, pg_temp as $$
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
  select array_agg(due.priority) from (
    select known.priority from known where known.priority <> all(except_lanes) limit max_lanes
  ) due
$$;
