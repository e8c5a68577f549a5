set local citus.multi_shard_modify_mode = 'sequential';--> statement-breakpoint
CREATE INDEX "webhook_delivery_age" ON "webhook_delivery" USING btree ("state","created_at","merchant_id") WHERE state <> 'PENDING';
