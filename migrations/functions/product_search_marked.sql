-- Wakes whoever writes documents. Commits that notify wait for one lock, so few do: a search writes what is marked itself,
-- and the worker looks for marks every few seconds.
create or replace function product_search_marked() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp
  as $$
    begin
      perform setval('product_search_wake_up'::regclass, (extract(epoch from clock_timestamp()) * 1000)::bigint), pg_notify('product_search', '');
      return null;
    end
  $$;--> statement-breakpoint

-- Left out where tables are distributed: the sequence would be another one on each node.
do $$
begin
  if not exists (select from pg_extension where extname = 'citus') then
    create or replace trigger product_search_marked after insert on product_search_pending for each statement
      when ((extract(epoch from clock_timestamp()) * 1000)::bigint > coalesce(pg_sequence_last_value('product_search_wake_up'::regclass), 0) + 100)
      execute function product_search_marked();
  end if;
end $$;
