set local citus.multi_shard_modify_mode = 'sequential';--> statement-breakpoint
CREATE TABLE "bulk_operation" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"total" integer NOT NULL,
	"created" integer NOT NULL,
	"updated" integer NOT NULL,
	"deleted" integer NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bulk_operation_merchant_id_id_pk" PRIMARY KEY("merchant_id","id")
);
--> statement-breakpoint
CREATE TABLE "bulk_operation_image" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"bulk_operation_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"variant_id" uuid NOT NULL,
	"path" text NOT NULL,
	"url" text NOT NULL,
	"is_main" boolean NOT NULL,
	"is_video" boolean,
	"order" numeric NOT NULL,
	"state" text DEFAULT 'PENDING' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error" text,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bulk_operation_image_merchant_id_id_pk" PRIMARY KEY("merchant_id","id")
);
--> statement-breakpoint
select distribute('bulk_operation');--> statement-breakpoint
select distribute('bulk_operation_image');--> statement-breakpoint
ALTER TABLE "variant_image" ADD COLUMN "source_url" text;--> statement-breakpoint
ALTER TABLE "bulk_operation_image" ADD CONSTRAINT "bulk_operation_image_operation_fk" FOREIGN KEY ("merchant_id","bulk_operation_id") REFERENCES "public"."bulk_operation"("merchant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_operation_image" ADD CONSTRAINT "bulk_operation_image_variant_fk" FOREIGN KEY ("merchant_id","product_id","variant_id") REFERENCES "public"."variant"("merchant_id","product_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bulk_operation_image_operation" ON "bulk_operation_image" USING btree ("merchant_id","bulk_operation_id");