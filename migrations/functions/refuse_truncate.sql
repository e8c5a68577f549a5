-- TRUNCATE does not fire the triggers that write events, so it is refused. The name of the table is an argument,
-- because on a cluster `tg_table_name` is the name of a shard.
create or replace function refuse_truncate() returns trigger language plpgsql as $$
begin
  raise exception 'The table % cannot be truncated: its webhooks would not learn of it. Delete its rows instead.',
    tg_argv[0];
end $$;--> statement-breakpoint
create or replace trigger refuse_truncate before truncate on customer
  for each statement execute function refuse_truncate('customer');--> statement-breakpoint
create or replace trigger refuse_truncate before truncate on product
  for each statement execute function refuse_truncate('product');--> statement-breakpoint
create or replace trigger refuse_truncate before truncate on product_stock_location
  for each statement execute function refuse_truncate('product_stock_location');
