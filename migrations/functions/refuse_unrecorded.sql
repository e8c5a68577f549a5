-- The triggers that write events and changes compare the rows before and after a statement by merchant and id, and
-- TRUNCATE does not fire them. So TRUNCATE is refused, and another merchant or id of a row. The name of the table is an
-- argument, because on a cluster `tg_table_name` is the name of a shard.
create or replace function refuse_unrecorded() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp set jit = off as $$
begin
  if tg_op = 'TRUNCATE' then
    raise exception
      'The table % cannot be truncated: webhooks and the history would miss it. Delete its rows instead.', tg_argv[0];
  end if;
  raise exception
    'The id and the merchant of a row of % cannot change: webhooks and the history would miss it. Insert another row.',
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
        for each statement execute function refuse_unrecorded(%1$L)
    $definition$, recorded);
    execute format($definition$
      create or replace trigger refuse_other_key before update of merchant_id, id on %1$I
        for each row when (old.merchant_id <> new.merchant_id or old.id <> new.id)
        execute function refuse_unrecorded(%1$L)
    $definition$, recorded);
  end loop;
end $$;
