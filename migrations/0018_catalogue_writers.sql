set local citus.multi_shard_modify_mode = 'sequential';--> statement-breakpoint
set local citus.enable_unsafe_triggers = on;--> statement-breakpoint
-- Whoever may write a table of the catalogue need not have rights to this one, nor find it.
alter function catalogue_changed() security definer set search_path = pg_catalog, public, pg_temp;--> statement-breakpoint
alter function catalogue_truncated() security definer set search_path = pg_catalog, public, pg_temp;--> statement-breakpoint
-- Rows that go to another merchant: `catalogue_updated` sees only where they have come to.
do $migration$
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
      create trigger catalogue_moved before update of merchant_id on %1$I for each statement execute function catalogue_truncated(%1$L)
    $definition$, name);
  end loop;
end $migration$;
