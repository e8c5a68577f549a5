set local citus.multi_shard_modify_mode = 'sequential';--> statement-breakpoint
CREATE SEQUENCE "public"."customer_webhooks" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE SEQUENCE "public"."product_webhooks" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE SEQUENCE "public"."stock_webhooks" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE SEQUENCE "public"."webhook_wake_up" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "webhook" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"authorized_app_id" uuid NOT NULL,
	"scope" text NOT NULL,
	"endpoint" text NOT NULL,
	"sales_channel_ids" uuid[] DEFAULT '{}' NOT NULL,
	"status" text DEFAULT 'ACTIVE' NOT NULL,
	"paused_at" timestamp(3) with time zone,
	"given_up_in_a_row" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_merchant_id_id_pk" PRIMARY KEY("merchant_id","id")
);--> statement-breakpoint
CREATE TABLE "webhook_delivery" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"webhook_id" uuid NOT NULL,
	"authorized_app_id" uuid NOT NULL,
	"scope" text NOT NULL,
	"endpoint" text NOT NULL,
	"record_id" uuid NOT NULL,
	"sequence" integer NOT NULL,
	"data" text NOT NULL,
	"state" text DEFAULT 'PENDING' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"claimed_at" timestamp(3) with time zone,
	"next_attempt_at" timestamp(3) with time zone,
	"attempt_log" json DEFAULT '[]' NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_delivery_merchant_id_id_pk" PRIMARY KEY("merchant_id","id")
);--> statement-breakpoint
CREATE TABLE "webhook_record" (
	"merchant_id" uuid NOT NULL,
	"authorized_app_id" uuid NOT NULL,
	"record_id" uuid NOT NULL,
	"sequence" integer NOT NULL,
	"transaction_id" "xid8" NOT NULL,
	"action" text NOT NULL,
	"listens" integer NOT NULL,
	"is_counted" boolean NOT NULL,
	"delivery_id" uuid NOT NULL,
	CONSTRAINT "webhook_record_merchant_id_authorized_app_id_record_id_pk" PRIMARY KEY("merchant_id","authorized_app_id","record_id")
);--> statement-breakpoint
select distribute('webhook');--> statement-breakpoint
select distribute('webhook_delivery');--> statement-breakpoint
select distribute('webhook_record');--> statement-breakpoint
ALTER TABLE "webhook" ADD CONSTRAINT "webhook_app_fk" FOREIGN KEY ("merchant_id","authorized_app_id") REFERENCES "public"."authorized_app"("merchant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_scope_key" ON "webhook" USING btree ("merchant_id","authorized_app_id","scope");--> statement-breakpoint
CREATE INDEX "webhook_delivery_pending" ON "webhook_delivery" USING btree ("merchant_id","webhook_id","id") WHERE state = 'PENDING';--> statement-breakpoint
-- A row is written three times within seconds and then rests: room on its page keeps the later versions beside the first.
alter table webhook_delivery set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
