set local citus.multi_shard_modify_mode = 'sequential';--> statement-breakpoint
CREATE TABLE "app_point_bucket" (
	"merchant_id" uuid NOT NULL,
	"authorized_app_id" uuid NOT NULL,
	"full_at_ms" double precision NOT NULL,
	"added_at_ms" double precision NOT NULL,
	CONSTRAINT "app_point_bucket_merchant_id_authorized_app_id_pk" PRIMARY KEY("merchant_id","authorized_app_id")
);
--> statement-breakpoint
select distribute('app_point_bucket');--> statement-breakpoint
ALTER TABLE "app_point_bucket" ADD CONSTRAINT "app_point_bucket_app_fk" FOREIGN KEY ("merchant_id","authorized_app_id") REFERENCES "public"."authorized_app"("merchant_id","id") ON DELETE cascade ON UPDATE no action;