set local citus.multi_shard_modify_mode = 'sequential';--> statement-breakpoint
-- Four times what it was: see drizzle/product-search.ts.
alter index "product_search_document" set (gin_pending_list_limit = 2048);--> statement-breakpoint
-- Most products have neither key. An index that a row does not stand in is not written when the row is.
DROP INDEX "product_source_id_key";--> statement-breakpoint
DROP INDEX "product_vendor";--> statement-breakpoint
CREATE UNIQUE INDEX "product_source_id_key" ON "product" USING btree ("merchant_id","source_id") WHERE source_id is not null;--> statement-breakpoint
CREATE INDEX "product_vendor" ON "product" USING btree ("merchant_id","vendor_id") WHERE vendor_id is not null;
