set local citus.multi_shard_modify_mode = 'sequential';--> statement-breakpoint
CREATE TABLE "image" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"content_hash" text NOT NULL,
	"content_type" text NOT NULL,
	"size_bytes" integer NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"unused_since" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "image_merchant_id_id_pk" PRIMARY KEY("merchant_id","id")
);
--> statement-breakpoint
select distribute('image');--> statement-breakpoint
delete from variant_image as later using variant_image as earlier
where later.merchant_id = earlier.merchant_id and later.product_id = earlier.product_id and later.variant_id = earlier.variant_id
  and later.image_id = earlier.image_id and later.position > earlier.position;--> statement-breakpoint
ALTER TABLE "variant_image" DROP CONSTRAINT "variant_image_merchant_id_product_id_variant_id_position_pk";--> statement-breakpoint
ALTER TABLE "bulk_operation_image" ALTER COLUMN "product_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "bulk_operation_image" ALTER COLUMN "variant_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "variant_image" ADD CONSTRAINT "variant_image_merchant_id_product_id_variant_id_image_id_pk" PRIMARY KEY("merchant_id","product_id","variant_id","image_id");--> statement-breakpoint
ALTER TABLE "bulk_operation_image" ADD COLUMN "variant_type_id" uuid;--> statement-breakpoint
ALTER TABLE "bulk_operation_image" ADD COLUMN "variant_value_id" uuid;--> statement-breakpoint
ALTER TABLE "bulk_operation_image" ADD COLUMN "next_attempt_at" timestamp(3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "image_content_key" ON "image" USING btree ("merchant_id","content_hash");--> statement-breakpoint
ALTER TABLE "bulk_operation_image" ADD CONSTRAINT "bulk_operation_image_value_fk" FOREIGN KEY ("merchant_id","variant_type_id","variant_value_id") REFERENCES "public"."variant_value"("merchant_id","variant_type_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bulk_operation_image_variant" ON "bulk_operation_image" USING btree ("merchant_id","variant_id");--> statement-breakpoint
CREATE INDEX "bulk_operation_image_value" ON "bulk_operation_image" USING btree ("merchant_id","variant_value_id");--> statement-breakpoint
CREATE INDEX "bulk_operation_image_due" ON "bulk_operation_image" USING btree ("next_attempt_at","merchant_id") WHERE state = 'PENDING';--> statement-breakpoint
CREATE INDEX "product_attribute_value_images" ON "product_attribute_value" USING btree ("merchant_id") WHERE image_ids is not null;--> statement-breakpoint
CREATE INDEX "variant_image_image" ON "variant_image" USING btree ("merchant_id","image_id");--> statement-breakpoint
ALTER TABLE "bulk_operation_image" ADD CONSTRAINT "bulk_operation_image_target" CHECK (num_nonnulls(variant_id, variant_value_id) = 1);