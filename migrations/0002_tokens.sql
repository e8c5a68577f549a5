set local citus.multi_shard_modify_mode = 'sequential';--> statement-breakpoint
CREATE SEQUENCE "public"."merchant_sequence" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE INDEX "access_token_expiry" ON "access_token" USING btree ("merchant_id","expires_at");--> statement-breakpoint
CREATE INDEX "access_token_app" ON "access_token" USING btree ("merchant_id","authorized_app_id");