set local citus.multi_shard_modify_mode = 'sequential';--> statement-breakpoint
-- They hold what was deleted too, for lists that include it.
DROP INDEX "product_created";--> statement-breakpoint
DROP INDEX "product_updated";--> statement-breakpoint
DROP INDEX "product_name";--> statement-breakpoint
CREATE INDEX "product_created" ON "product" USING btree ("merchant_id","created_at" desc,"id","deleted");--> statement-breakpoint
CREATE INDEX "product_updated" ON "product" USING btree ("merchant_id","updated_at" desc,"id","deleted");--> statement-breakpoint
CREATE INDEX "product_name" ON "product" USING btree ("merchant_id","name" collate "und-x-icu","id","deleted");