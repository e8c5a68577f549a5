-- Notifies the worker of queued rows. The argument is the channel. Its sequence has the time of the last notification.
-- All commits that notify wait for one lock during a write to disk. So at most one in 100 ms notifies, and the worker
-- looks for the rows of the others by itself: for products to search every few seconds, because a search writes pending
-- documents itself, and for memberships each second for some time after a notification.
-- PostgreSQL sends a notification at the commit, but its time is stored at once, and others do not notify then. So a
-- transaction that may commit late or never does not store the time: a dry run, and one that has lasted for 100 ms. The
-- time of the last notification is in the future if the clock was set back since. The time is compared in the function,
-- which takes 3 us. In a WHEN condition it took 17 us, because PostgreSQL reads and prepares the condition again for
-- each statement.
create or replace function notify_worker() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp set jit = off
  as $$
    declare
      last_time regclass := tg_argv[0] || '_wake_up';
    begin
      if (extract(epoch from clock_timestamp()) * 1000)::bigint
        - coalesce(pg_sequence_last_value(last_time), 0) not between 0 and 100
        and current_setting('commerce.is_dry_run', true) is distinct from 'on'
      then
        if clock_timestamp() - now() < interval '100 ms' then
          perform setval(last_time, (extract(epoch from clock_timestamp()) * 1000)::bigint);
        end if;
        perform pg_notify(tg_argv[0], '');
      end if;
      return null;
    end
  $$;--> statement-breakpoint

-- The triggers are not created on a cluster, where each node would have sequences of its own: the worker polls instead.
do $$
begin
  if not has_citus() then
    create or replace trigger product_search_notify after insert on product_search_pending
      for each statement execute function notify_worker('product_search');
    create or replace trigger membership_notify after insert on membership_pending_product
      for each statement execute function notify_worker('category_membership');
    create or replace trigger membership_notify after insert on membership_pending_category
      for each statement execute function notify_worker('category_membership');
  end if;
end $$;
