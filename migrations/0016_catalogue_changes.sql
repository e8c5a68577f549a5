set local citus.multi_shard_modify_mode = 'sequential';--> statement-breakpoint
set local citus.enable_unsafe_triggers = on;--> statement-breakpoint
CREATE TABLE "catalogue_change" (
	"merchant_id" uuid NOT NULL,
	"transaction_id" "xid8" NOT NULL,
	"table_name" text NOT NULL,
	CONSTRAINT "catalogue_change_merchant_id_transaction_id_table_name_pk" PRIMARY KEY("merchant_id","transaction_id","table_name")
);--> statement-breakpoint
select distribute('catalogue_change');--> statement-breakpoint
-- The table's name is an argument, for a shard has another one. Whoever may write a table of the catalogue need not have
-- rights to this one, nor find it.
create function catalogue_changed() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  this_transaction xid8 := pg_current_xact_id();
  merchant uuid;
begin
  for merchant in select distinct c.merchant_id from changed_rows c loop
    insert into catalogue_change (merchant_id, transaction_id, table_name) values (merchant, this_transaction, tg_argv[0]) on conflict do nothing;
  end loop;
  return null;
end $$;--> statement-breakpoint
-- For all merchants, and before, while they are still there if they are what is truncated.
create function catalogue_truncated() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  this_transaction xid8 := pg_current_xact_id();
  merchant uuid;
begin
  for merchant in select m.merchant_id from merchant m loop
    insert into catalogue_change (merchant_id, transaction_id, table_name) values (merchant, this_transaction, tg_argv[0]) on conflict do nothing;
  end loop;
  return null;
end $$;--> statement-breakpoint
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
      create trigger catalogue_inserted after insert on %1$I referencing new table as changed_rows
        for each statement execute function catalogue_changed(%1$L)
    $definition$, name);
    execute format($definition$
      create trigger catalogue_updated after update on %1$I referencing new table as changed_rows
        for each statement execute function catalogue_changed(%1$L)
    $definition$, name);
    execute format($definition$
      create trigger catalogue_deleted after delete on %1$I referencing old table as changed_rows
        for each statement execute function catalogue_changed(%1$L)
    $definition$, name);
    execute format($definition$
      create trigger catalogue_truncated before truncate on %1$I for each statement execute function catalogue_truncated(%1$L)
    $definition$, name);
    -- Rows that go to another merchant: `catalogue_updated` sees only where they have come to.
    execute format($definition$
      create trigger catalogue_moved before update of merchant_id on %1$I for each statement execute function catalogue_truncated(%1$L)
    $definition$, name);
  end loop;
end $migration$;
