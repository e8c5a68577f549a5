set local citus.multi_shard_modify_mode = 'sequential';--> statement-breakpoint
CREATE TABLE "idempotency_key" (
	"merchant_id" uuid NOT NULL,
	"authorized_app_id" uuid NOT NULL,
	"key" text NOT NULL,
	"content_hash" text NOT NULL,
	"answer" text,
	"created_at" timestamp(3) with time zone NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "idempotency_key_merchant_id_authorized_app_id_key_pk" PRIMARY KEY("merchant_id","authorized_app_id","key")
);
--> statement-breakpoint
select distribute('idempotency_key');--> statement-breakpoint
ALTER TABLE "idempotency_key" ADD CONSTRAINT "idempotency_key_app_fk" FOREIGN KEY ("merchant_id","authorized_app_id") REFERENCES "public"."authorized_app"("merchant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "idempotency_key_expiry" ON "idempotency_key" USING btree ("expires_at","merchant_id");