-- Only the owner of a table may run ANALYZE (the privilege MAINTAIN exists since PostgreSQL 17). The function takes no
-- arguments: callers choose only the time.
create or replace function analyze_products() returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  analyze product, variant, product_stock_location, html_meta_data, product_brand, category, product_tag, variant_type,
    variant_value, bulk_operation, bulk_operation_image, product_search, product_search_word;
end $$;--> statement-breakpoint
revoke execute on function analyze_products from public;
