-- The triggers that write events and changes compare the rows before and after a statement by their ids. They would
-- miss a row with another id, so it is refused. `refuse_truncate.sql` creates the triggers.
create or replace function refuse_other_id() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  raise exception
    'The id of a row of % cannot change: webhooks and the history would miss it. Insert another row instead.',
    tg_argv[0];
end $$;
