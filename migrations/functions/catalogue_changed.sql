-- Notes which tables a transaction has written. The table's name is an argument, because a shard's name differs. Runs as
-- the owner: whoever may write a table of the catalogue need not have rights to `catalogue_change`.
create or replace function catalogue_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  this_transaction xid8 := pg_current_xact_id();
  merchant uuid;
begin
  for merchant in select distinct c.merchant_id from changed_rows c loop
    insert into catalogue_change (merchant_id, transaction_id, table_name) values (merchant, this_transaction, tg_argv[0]) on conflict do nothing;
  end loop;
  return null;
end $$;

do $$
declare
  name text;
begin
  foreach name in array '{
    bundle_product,category,category_sales_channel,html_meta_data,merchant,price_list,product,product_attribute,product_attribute_option,
    product_attribute_value,product_brand,product_brand_sales_channel,product_category,product_dynamic_price_list,product_price,product_sales_channel,
    product_search,product_stock_location,product_tag,product_tag_relation,product_variant_type,product_variant_value,sales_channel,
    sales_channel_stock_location,stock_location,variant,variant_image,variant_type,variant_value,variant_value_relation
  }'::text[] loop
    execute format($definition$
      create or replace trigger catalogue_inserted after insert on %1$I referencing new table as changed_rows
        for each statement execute function catalogue_changed(%1$L)
    $definition$, name);
    execute format($definition$
      create or replace trigger catalogue_updated after update on %1$I referencing new table as changed_rows
        for each statement execute function catalogue_changed(%1$L)
    $definition$, name);
    execute format($definition$
      create or replace trigger catalogue_deleted after delete on %1$I referencing old table as changed_rows
        for each statement execute function catalogue_changed(%1$L)
    $definition$, name);
  end loop;
end $$;
