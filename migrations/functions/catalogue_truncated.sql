-- The same for all merchants: for TRUNCATE, and before rows move to another merchant, as `catalogue_updated` sees only the
-- new one. Runs before the statement, while the merchants' rows are still there if they are what is truncated.
create or replace function catalogue_truncated() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  this_transaction xid8 := pg_current_xact_id();
  merchant uuid;
begin
  for merchant in select m.merchant_id from merchant m loop
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
      create or replace trigger catalogue_truncated before truncate on %1$I for each statement execute function catalogue_truncated(%1$L)
    $definition$, name);
    -- Rows that go to another merchant: `catalogue_updated` sees only the new one.
    execute format($definition$
      create or replace trigger catalogue_moved before update of merchant_id on %1$I for each statement execute function catalogue_truncated(%1$L)
    $definition$, name);
  end loop;
end $$;
