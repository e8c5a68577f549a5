set local citus.multi_shard_modify_mode = 'sequential';--> statement-breakpoint
CREATE TABLE "customer" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"sequence" integer,
	"first_name" text NOT NULL,
	"last_name" text,
	"full_name" text GENERATED ALWAYS AS (first_name || coalesce(' ' || last_name, '')) STORED NOT NULL,
	"email" text,
	"phone" text,
	"note" text,
	"ip" text,
	"user_agent" text,
	"preferred_language" text,
	"price_list_id" uuid,
	"last_price_list_id" uuid,
	"last_storefront_routing_id" text,
	"order_count" integer DEFAULT 0 NOT NULL,
	"total_order_price" numeric DEFAULT 0 NOT NULL,
	"first_order_date" timestamp(3) with time zone,
	"last_order_date" timestamp(3) with time zone,
	"is_email_verified" boolean,
	"email_verified_date" timestamp(3) with time zone,
	"is_phone_verified" boolean,
	"phone_verified_date" timestamp(3) with time zone,
	"birth_date" timestamp(3) with time zone,
	"password_update_date" timestamp(3) with time zone,
	"gender" text,
	"account_status" text,
	"account_status_updated_at" timestamp(3) with time zone,
	"b2b_status" text,
	"registration_source" text,
	"subscription_status" text,
	"subscription_status_updated_at" timestamp(3) with time zone,
	"sms_subscription_status" text,
	"sms_subscription_status_updated_at" timestamp(3) with time zone,
	"phone_subscription_status" text,
	"phone_subscription_status_updated_at" timestamp(3) with time zone,
	"tag_ids" text[],
	"customer_group_ids" text[],
	"customer_segment_ids" text[],
	"addresses" json,
	"attributes" json,
	"price_list_rules" json,
	"search_text" text GENERATED ALWAYS AS (fold(first_name || coalesce(' ' || last_name, '') || coalesce(chr(10) || email, '') || coalesce(chr(10) || phone, ''))) STORED NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "customer_merchant_id_id_pk" PRIMARY KEY("merchant_id","id")
);--> statement-breakpoint
CREATE TABLE "customer_counter" (
	"merchant_id" uuid NOT NULL,
	"value" integer NOT NULL,
	CONSTRAINT "customer_counter_merchant_id_pk" PRIMARY KEY("merchant_id")
);--> statement-breakpoint
select distribute('customer');--> statement-breakpoint
select distribute('customer_counter');--> statement-breakpoint
ALTER TABLE "customer" ADD CONSTRAINT "customer_price_list_fk" FOREIGN KEY ("merchant_id","price_list_id") REFERENCES "public"."price_list"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer" ADD CONSTRAINT "customer_last_price_list_fk" FOREIGN KEY ("merchant_id","last_price_list_id") REFERENCES "public"."price_list"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "customer_created" ON "customer" USING btree ("merchant_id","created_at" desc,"id");--> statement-breakpoint
CREATE INDEX "customer_updated" ON "customer" USING btree ("merchant_id","updated_at" desc,"id");--> statement-breakpoint
CREATE INDEX "customer_email" ON "customer" USING btree ("merchant_id","email");--> statement-breakpoint
CREATE INDEX "customer_phone" ON "customer" USING btree ("merchant_id","phone");--> statement-breakpoint
CREATE INDEX "customer_search" ON "customer" USING gin ("merchant_id","search_text" gin_trgm_ops);