set local citus.multi_shard_modify_mode = 'sequential';--> statement-breakpoint
-- Six decimals, and less than 10,000,000,000,000: what inputs take from here on. Each table is rewritten once. What was stored
-- beyond that, by requests that nothing refused, becomes 9,999,999,999,999; further decimals are rounded.
ALTER TABLE "customer"
  ALTER COLUMN "total_order_price" SET DATA TYPE numeric(19, 6) USING case when abs("total_order_price") <= 9999999999999 then "total_order_price" else sign("total_order_price") * 9999999999999 end;--> statement-breakpoint
ALTER TABLE "product"
  ALTER COLUMN "max_quantity_per_cart" SET DATA TYPE numeric(19, 6) USING case when abs("max_quantity_per_cart") <= 9999999999999 then "max_quantity_per_cart" else sign("max_quantity_per_cart") * 9999999999999 end;--> statement-breakpoint
ALTER TABLE "product_price"
  ALTER COLUMN "sell_price" SET DATA TYPE numeric(19, 6) USING case when abs("sell_price") <= 9999999999999 then "sell_price" else sign("sell_price") * 9999999999999 end,
  ALTER COLUMN "buy_price" SET DATA TYPE numeric(19, 6) USING case when abs("buy_price") <= 9999999999999 then "buy_price" else sign("buy_price") * 9999999999999 end,
  ALTER COLUMN "discount_price" SET DATA TYPE numeric(19, 6) USING case when abs("discount_price") <= 9999999999999 then "discount_price" else sign("discount_price") * 9999999999999 end;--> statement-breakpoint
ALTER TABLE "bundle_product"
  ALTER COLUMN "quantity" SET DATA TYPE numeric(19, 6) USING case when abs("quantity") <= 9999999999999 then "quantity" else sign("quantity") * 9999999999999 end,
  ALTER COLUMN "min_quantity" SET DATA TYPE numeric(19, 6) USING case when abs("min_quantity") <= 9999999999999 then "min_quantity" else sign("min_quantity") * 9999999999999 end,
  ALTER COLUMN "max_quantity" SET DATA TYPE numeric(19, 6) USING case when abs("max_quantity") <= 9999999999999 then "max_quantity" else sign("max_quantity") * 9999999999999 end;--> statement-breakpoint
ALTER TABLE "product_sales_channel"
  ALTER COLUMN "max_quantity_per_cart" SET DATA TYPE numeric(19, 6) USING case when abs("max_quantity_per_cart") <= 9999999999999 then "max_quantity_per_cart" else sign("max_quantity_per_cart") * 9999999999999 end,
  ALTER COLUMN "min_quantity_per_cart" SET DATA TYPE numeric(19, 6) USING case when abs("min_quantity_per_cart") <= 9999999999999 then "min_quantity_per_cart" else sign("min_quantity_per_cart") * 9999999999999 end;--> statement-breakpoint
ALTER TABLE "product_stock_location"
  ALTER COLUMN "stock_count" SET DATA TYPE numeric(19, 6) USING case when abs("stock_count") <= 9999999999999 then "stock_count" else sign("stock_count") * 9999999999999 end;
