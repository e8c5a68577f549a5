-- Notifies the worker that rows were queued. The argument is the channel. A sequence, named after the channel,
-- stores the time of the last notification.
--
-- Transactions that notify commit one after the other: each holds a lock of the whole server until its commit is on
-- the disk. So only one transaction in 100 ms notifies. The worker finds the rows of the other transactions by
-- polling: products to search every few seconds, because a search writes the pending documents of its merchant
-- itself, and memberships once a second for some seconds after a notification.
--
-- PostgreSQL sends the notification at the commit, but the sequence has its time at once. A dry run, which never
-- commits, and a transaction that has lasted for 100 ms therefore notify without storing the time: otherwise a
-- transaction that commits earlier would rely on their notification. Of other transactions that fail the worker learns
-- by the sequence, which it reads every ten seconds. A stored time in the future means that the clock was set back.
--
-- The function compares the times, which takes 3 us. The same condition in WHEN took 17 us, because PostgreSQL reads
-- and prepares it again for each statement.
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

-- A cluster gets no triggers, because each of its nodes would have sequences of its own. There the worker only polls.
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
