-- The lanes that have something due, each found by one step in the index, however long the others are.
do $migration$
begin
  execute format($definition$
    create function webhook_queue_lanes() returns table (lane integer, endpoint text)
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $body$
    begin
      return query
      with recursive lanes as (
        (
          select job.priority, job.group_id from pgboss.%1$I job
          where job.name = 'webhook-delivery' and job.state < 'active' and not job.blocked and job.priority < 0 and job.start_after <= now()
          order by job.priority desc limit 1
        )
        union all
        select next.priority, next.group_id
        from lanes, lateral (
          select job.priority, job.group_id from pgboss.%1$I job
          where job.name = 'webhook-delivery' and job.state < 'active' and not job.blocked and job.priority < lanes.priority and job.start_after <= now()
          order by job.priority desc limit 1
        ) next
      )
      select lanes.priority, lanes.group_id from lanes limit 1000;
    end $body$
  $definition$, (select queue.table_name from pgboss.queue where queue.name = 'webhook-delivery'));
end $migration$;--> statement-breakpoint
revoke execute on function webhook_queue_lanes from public;
