-- Notifies the worker of pending products. All commits that notify wait for one lock, so at most one in 100 ms
-- notifies. The others need not: a search writes pending documents itself, and the worker looks for them every few
-- seconds. PostgreSQL sends a notification at the commit, but its time is stored at once, and others do not notify
-- then. So a transaction that may commit late or never does not store the time: a dry run, and one that has lasted
-- for 100 ms. The time of the last notification is in the future if the clock was set back since. The time is
-- compared in the function, which takes 3 us. In a WHEN condition it took 17 us, because PostgreSQL reads and
-- prepares the condition again for each statement.
create or replace function product_search_notify() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp set jit = off
  as $$
    begin
      if (extract(epoch from clock_timestamp()) * 1000)::bigint
        - coalesce(pg_sequence_last_value('product_search_wake_up'::regclass), 0) not between 0 and 100
        and current_setting('commerce.is_dry_run', true) is distinct from 'on'
      then
        if clock_timestamp() - now() < interval '100 ms' then
          perform setval('product_search_wake_up'::regclass, (extract(epoch from clock_timestamp()) * 1000)::bigint);
        end if;
        perform pg_notify('product_search', '');
      end if;
      return null;
    end
  $$;--> statement-breakpoint

-- The trigger is not created on a cluster, where each node would have a sequence of its own: the worker polls instead.
do $$
begin
  if not has_citus() then
    create or replace trigger product_search_notify after insert on product_search_pending for each statement
      execute function product_search_notify();
  end if;
end $$;
