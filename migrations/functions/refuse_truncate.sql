-- TRUNCATE does not fire the triggers that write events and changes, so it is refused. The name of the table is an
-- argument, because on a cluster `tg_table_name` is the name of a shard.
create or replace function refuse_truncate() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  raise exception 'The table % cannot be truncated: webhooks and the history would miss it. Delete its rows instead.',
    tg_argv[0];
end $$;--> statement-breakpoint
do $$
declare
  recorded text;
begin
  foreach recorded in array '{
    authorized_app,category,customer,html_meta_data,price_list,product,product_attribute,product_attribute_option,
    product_brand,product_stock_location,product_tag,sales_channel,stock_hold,stock_location,variant,variant_type,
    variant_value,webhook}'::text[]
  loop
    recorded := btrim(recorded);
    execute format($definition$
      create or replace trigger refuse_truncate before truncate on %1$I
        for each statement execute function refuse_truncate(%1$L)
    $definition$, recorded);
    execute format($definition$
      create or replace trigger refuse_other_id before update of id on %1$I
        for each row when (old.id <> new.id) execute function refuse_other_id(%1$L)
    $definition$, recorded);
  end loop;
end $$;
