-- Removes jobs that a worker has taken and completed, by their ids and retry counts. A job that was released or taken
-- again meanwhile is left alone, and so is one that a transaction has locked: its merchant queues it again just now,
-- and may need seconds, in which the jobs of all others would wait for the connection.
-- pgboss.ja3531bb176c4e3895371150251f0cbafb2e4c39078197789fd65de9f is pg-boss' table of the queue webhook-delivery.
create or replace function remove_webhook_jobs(jobs uuid[], retry_counts integer[]) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  taken text[] := array(select id || ':' || retry_count from unnest(jobs, retry_counts) as job(id, retry_count));
begin
  delete from pgboss.ja3531bb176c4e3895371150251f0cbafb2e4c39078197789fd65de9f as removed
  where removed.name = 'webhook-delivery' and removed.id = any(array(
    select job.id from pgboss.ja3531bb176c4e3895371150251f0cbafb2e4c39078197789fd65de9f job
    where job.name = 'webhook-delivery' and job.id = any(jobs) and job.state = 'active'
      and job.id || ':' || job.retry_count = any(taken)
    for update skip locked));
end $$;
