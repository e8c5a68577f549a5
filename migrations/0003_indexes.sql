CREATE UNIQUE INDEX "access_token_id_key" ON "access_token" USING btree ("merchant_id","id");--> statement-breakpoint
CREATE INDEX "access_token_expiry" ON "access_token" USING btree ("merchant_id","expires_at");--> statement-breakpoint
CREATE INDEX "access_token_app" ON "access_token" USING btree ("merchant_id","authorized_app_id");--> statement-breakpoint
CREATE UNIQUE INDEX "authorized_app_client_id_key" ON "authorized_app" USING btree ("merchant_id","client_id");--> statement-breakpoint
CREATE INDEX "bulk_operation_change_set" ON "bulk_operation" USING btree ("merchant_id","change_set_id");--> statement-breakpoint
CREATE INDEX "bulk_operation_image_operation" ON "bulk_operation_image" USING btree ("merchant_id","bulk_operation_id");--> statement-breakpoint
CREATE INDEX "bulk_operation_image_variant" ON "bulk_operation_image" USING btree ("merchant_id","variant_id");--> statement-breakpoint
CREATE INDEX "bulk_operation_image_value" ON "bulk_operation_image" USING btree ("merchant_id","variant_value_id");--> statement-breakpoint
CREATE INDEX "bulk_operation_image_due" ON "bulk_operation_image" USING btree ("merchant_id","next_attempt_at","id") WHERE state = 'PENDING';--> statement-breakpoint
CREATE INDEX "category_parent" ON "category" USING btree ("merchant_id","parent_id","name");--> statement-breakpoint
CREATE INDEX "category_path" ON "category" USING gin ("path");--> statement-breakpoint
CREATE INDEX "category_by_conditions" ON "category" USING btree ("merchant_id","id") WHERE by_conditions;--> statement-breakpoint
CREATE INDEX "category_created" ON "category" USING btree ("merchant_id","created_at" desc,"id");--> statement-breakpoint
CREATE INDEX "category_updated" ON "category" USING btree ("merchant_id","updated_at" desc);--> statement-breakpoint
CREATE INDEX "category_name" ON "category" USING btree ("merchant_id","name" collate "und-x-icu");--> statement-breakpoint
CREATE UNIQUE INDEX "category_product_newest" ON "category_product" USING btree ("merchant_id","category_id","by_conditions","created_at" desc,"product_id");--> statement-breakpoint
CREATE INDEX "category_product_by_conditions" ON "category_product" USING btree ("merchant_id","product_id","category_id") WHERE by_conditions;--> statement-breakpoint
CREATE INDEX "change_record" ON "change" USING btree ("merchant_id","record_id","id");--> statement-breakpoint
CREATE INDEX "change_change_set" ON "change" USING btree ("merchant_id","change_set_id","id") WHERE number > 0;--> statement-breakpoint
CREATE INDEX "change_change_set_record" ON "change" USING btree ("merchant_id","change_set_id","record_type","record_id");--> statement-breakpoint
CREATE INDEX "change_truncated" ON "change" USING btree ("merchant_id","change_set_id") WHERE truncated;--> statement-breakpoint
CREATE INDEX "change_authorized_app" ON "change" USING btree ("merchant_id","authorized_app_id","id") WHERE authorized_app_id is not null;--> statement-breakpoint
CREATE INDEX "change_record_type" ON "change" USING btree ("merchant_id","record_type","id") WHERE record_type <> 'PRODUCT';--> statement-breakpoint
CREATE INDEX "change_deleted" ON "change" USING btree ("merchant_id","kind","id") WHERE kind in ('DELETED', 'RESTORED');--> statement-breakpoint
CREATE INDEX "change_webhook_deleted" ON "change" USING btree ("merchant_id","id") WHERE record_type = 'WEBHOOK' and kind = 'DELETED';--> statement-breakpoint
CREATE INDEX "change_set_reverts" ON "change_set" USING btree ("merchant_id","reverts_change_set_id") WHERE reverts_change_set_id is not null;--> statement-breakpoint
CREATE INDEX "change_set_actor" ON "change_set" USING btree ("merchant_id",translate(lower(actor collate "und-x-icu"), 'ς', 'σ')) WHERE actor is not null;--> statement-breakpoint
CREATE INDEX "client_operation_last_used_on" ON "client_operation" USING btree ("last_used_on","merchant_id");--> statement-breakpoint
CREATE INDEX "customer_created" ON "customer" USING btree ("merchant_id","created_at" desc,"id");--> statement-breakpoint
CREATE INDEX "customer_updated" ON "customer" USING btree ("merchant_id","updated_at" desc,"id");--> statement-breakpoint
CREATE INDEX "customer_first_name" ON "customer" USING btree ("merchant_id","first_name" collate "und-x-icu","id");--> statement-breakpoint
CREATE INDEX "customer_email" ON "customer" USING btree ("merchant_id",translate(lower("email" collate "und-x-icu"), 'ς', 'σ'));--> statement-breakpoint
CREATE INDEX "customer_phone" ON "customer" USING btree ("merchant_id","phone");--> statement-breakpoint
CREATE INDEX "customer_search" ON "customer" USING gin ("merchant_id","search_text" gin_trgm_ops) WITH (gin_pending_list_limit=512);--> statement-breakpoint
CREATE INDEX "customer_deleted" ON "customer" USING btree ("merchant_id","updated_at") WHERE deleted and erasure_id is null;--> statement-breakpoint
CREATE INDEX "erasure_created" ON "erasure" USING btree ("merchant_id","created_at" desc,"id");--> statement-breakpoint
CREATE INDEX "erasure_customers" ON "erasure" USING gin ("merchant_id","customer_ids");--> statement-breakpoint
CREATE INDEX "erasure_without_copy" ON "erasure" USING btree ("created_at","merchant_id") WHERE copied_at is null;--> statement-breakpoint
CREATE INDEX "idempotency_key_expiry" ON "idempotency_key" USING btree ("expires_at","merchant_id");--> statement-breakpoint
CREATE INDEX "idempotency_key_customers" ON "idempotency_key" USING gin ("merchant_id","customer_ids") WHERE customer_ids is not null;--> statement-breakpoint
CREATE INDEX "idempotency_usage_expiry" ON "idempotency_usage" USING btree ("expires_at","merchant_id");--> statement-breakpoint
CREATE UNIQUE INDEX "image_content_key" ON "image" USING btree ("merchant_id","content_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "html_meta_data_slug_key" ON "html_meta_data" USING btree ("merchant_id","slug" text_pattern_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "html_meta_data_target_key" ON "html_meta_data" USING btree ("merchant_id","target_id");--> statement-breakpoint
CREATE INDEX "price_list_created" ON "price_list" USING btree ("merchant_id","created_at" desc,"id");--> statement-breakpoint
CREATE INDEX "price_list_updated" ON "price_list" USING btree ("merchant_id","updated_at" desc);--> statement-breakpoint
CREATE INDEX "price_list_name" ON "price_list" USING btree ("merchant_id","name" collate "und-x-icu");--> statement-breakpoint
CREATE INDEX "price_list_dynamic" ON "price_list" USING btree ("merchant_id","created_at","id") WHERE type in ('DYNAMIC', 'DYNAMIC_RATE') and not deleted
          and json_array_length(case when json_typeof(rule_list) = 'array' then rule_list end) > 0;--> statement-breakpoint
CREATE UNIQUE INDEX "product_source_id_key" ON "product" USING btree ("merchant_id","source_id") WHERE source_id is not null;--> statement-breakpoint
CREATE INDEX "product_vendor" ON "product" USING btree ("merchant_id","vendor_id","created_at" desc,"id","deleted") WHERE vendor_id is not null;--> statement-breakpoint
CREATE INDEX "product_without_vendor" ON "product" USING btree ("merchant_id","created_at" desc,"id","deleted") WHERE vendor_id is null;--> statement-breakpoint
CREATE INDEX "product_brand_id" ON "product" USING btree ("merchant_id","brand_id","created_at" desc,"id","deleted") WHERE brand_id is not null;--> statement-breakpoint
CREATE INDEX "product_without_brand" ON "product" USING btree ("merchant_id","created_at" desc,"id","deleted") WHERE brand_id is null;--> statement-breakpoint
CREATE INDEX "product_created" ON "product" USING btree ("merchant_id","created_at" desc,"id","deleted");--> statement-breakpoint
CREATE INDEX "product_updated" ON "product" USING btree ("merchant_id","updated_at" desc,"id","deleted");--> statement-breakpoint
CREATE INDEX "product_name" ON "product" USING btree ("merchant_id","name" collate "und-x-icu","id","deleted");--> statement-breakpoint
CREATE INDEX "product_type" ON "product" USING btree ("merchant_id","type","created_at" desc,"id","deleted");--> statement-breakpoint
CREATE INDEX "product_category_ids" ON "product" USING gin ("merchant_id","category_ids") WITH (gin_pending_list_limit=512);--> statement-breakpoint
CREATE INDEX "product_tag_ids" ON "product" USING gin ("merchant_id","tag_ids") WITH (gin_pending_list_limit=512);--> statement-breakpoint
CREATE INDEX "product_sales_channel_ids" ON "product" USING gin ("merchant_id","sales_channel_ids") WITH (gin_pending_list_limit=512);--> statement-breakpoint
CREATE INDEX "product_attribute_ids" ON "product" USING gin ("merchant_id","attribute_ids") WITH (gin_pending_list_limit=512) WHERE attribute_ids is not null;--> statement-breakpoint
CREATE INDEX "product_attribute_image_ids" ON "product" USING gin ("merchant_id","attribute_image_ids") WITH (gin_pending_list_limit=512) WHERE attribute_image_ids is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "product_attribute_name_key" ON "product_attribute" USING btree ("merchant_id","name") WHERE not deleted;--> statement-breakpoint
CREATE INDEX "product_attribute_created" ON "product_attribute" USING btree ("merchant_id","created_at" desc,"id");--> statement-breakpoint
CREATE INDEX "product_attribute_updated" ON "product_attribute" USING btree ("merchant_id","updated_at" desc);--> statement-breakpoint
CREATE INDEX "product_attribute_name" ON "product_attribute" USING btree ("merchant_id","name" collate "und-x-icu");--> statement-breakpoint
CREATE INDEX "product_attribute_option_name" ON "product_attribute_option" USING btree ("merchant_id","attribute_id","deleted","name","id");--> statement-breakpoint
CREATE UNIQUE INDEX "product_brand_name_key" ON "product_brand" USING btree ("merchant_id","name") WHERE not deleted;--> statement-breakpoint
CREATE INDEX "product_brand_created" ON "product_brand" USING btree ("merchant_id","created_at" desc,"id");--> statement-breakpoint
CREATE INDEX "product_brand_updated" ON "product_brand" USING btree ("merchant_id","updated_at" desc);--> statement-breakpoint
CREATE INDEX "product_brand_name" ON "product_brand" USING btree ("merchant_id","name" collate "und-x-icu");--> statement-breakpoint
CREATE INDEX "product_price_lowest" ON "product_price" USING btree ("merchant_id","price_list_id","lowest","product_id");--> statement-breakpoint
CREATE INDEX "product_price_highest" ON "product_price" USING btree ("merchant_id","price_list_id","highest","product_id");--> statement-breakpoint
CREATE INDEX "product_search_document" ON "product_search" USING gin ("merchant_id","document") WITH (gin_pending_list_limit=2048);--> statement-breakpoint
CREATE INDEX "product_search_word_known" ON "product_search_word" USING btree ("merchant_id","word" collate "C") WHERE record_id is null;--> statement-breakpoint
CREATE INDEX "product_search_word_name" ON "product_search_word" USING btree ("merchant_id","word" collate "C","record_id") WHERE record_id is not null;--> statement-breakpoint
CREATE INDEX "product_search_word_record" ON "product_search_word" USING btree ("merchant_id","record_id","word" collate "C") WHERE record_id is not null;--> statement-breakpoint
CREATE INDEX "product_search_word_similar" ON "product_search_word" USING gin ("merchant_id",show_trgm(normalize("word", NFD))) WITH (gin_pending_list_limit=512);--> statement-breakpoint
CREATE UNIQUE INDEX "product_stock_location_place_key" ON "product_stock_location" USING btree ("merchant_id","product_id","variant_id","stock_location_id");--> statement-breakpoint
CREATE INDEX "product_stock_location_variant" ON "product_stock_location" USING btree ("merchant_id","variant_id");--> statement-breakpoint
CREATE INDEX "product_stock_location_location" ON "product_stock_location" USING btree ("merchant_id","stock_location_id","product_id");--> statement-breakpoint
CREATE INDEX "product_stock_location_in_stock" ON "product_stock_location" USING btree ("merchant_id","product_id") WHERE stock_count > 0 and not deleted;--> statement-breakpoint
CREATE INDEX "product_stock_location_created" ON "product_stock_location" USING btree ("merchant_id","created_at" desc,"id");--> statement-breakpoint
CREATE INDEX "product_stock_location_updated" ON "product_stock_location" USING btree ("merchant_id","updated_at" desc);--> statement-breakpoint
CREATE UNIQUE INDEX "product_tag_name_key" ON "product_tag" USING btree ("merchant_id","name") WHERE not deleted;--> statement-breakpoint
CREATE INDEX "product_tag_created" ON "product_tag" USING btree ("merchant_id","created_at" desc,"id");--> statement-breakpoint
CREATE INDEX "product_tag_updated" ON "product_tag" USING btree ("merchant_id","updated_at" desc);--> statement-breakpoint
CREATE INDEX "product_tag_name" ON "product_tag" USING btree ("merchant_id","name" collate "und-x-icu");--> statement-breakpoint
CREATE INDEX "revert_run_reverted" ON "revert_run" USING btree ("merchant_id","reverted_change_set_id","id");--> statement-breakpoint
CREATE INDEX "revert_run_running" ON "revert_run" USING btree ("merchant_id","id") WHERE not is_ended;--> statement-breakpoint
CREATE INDEX "sales_channel_created" ON "sales_channel" USING btree ("merchant_id","created_at" desc,"id");--> statement-breakpoint
CREATE INDEX "sales_channel_updated" ON "sales_channel" USING btree ("merchant_id","updated_at" desc);--> statement-breakpoint
CREATE INDEX "sales_channel_name" ON "sales_channel" USING btree ("merchant_id","name" collate "und-x-icu");--> statement-breakpoint
CREATE INDEX "schema_usage_day" ON "schema_usage" USING btree ("day","merchant_id");--> statement-breakpoint
CREATE INDEX "stock_hold_count" ON "stock_hold" USING btree ("merchant_id","product_stock_location_id","id");--> statement-breakpoint
CREATE INDEX "stock_hold_active" ON "stock_hold" USING btree ("merchant_id","product_stock_location_id","expires_at","quantity") WHERE status = 'ACTIVE';--> statement-breakpoint
CREATE INDEX "stock_hold_variant" ON "stock_hold" USING btree ("merchant_id","variant_id","id");--> statement-breakpoint
CREATE INDEX "stock_hold_active_variant" ON "stock_hold" USING btree ("merchant_id","variant_id","expires_at") WHERE status = 'ACTIVE';--> statement-breakpoint
CREATE INDEX "stock_hold_reference" ON "stock_hold" USING btree ("merchant_id","reference","id") WHERE reference is not null;--> statement-breakpoint
CREATE INDEX "stock_hold_expiry" ON "stock_hold" USING btree ("merchant_id","expires_at") WHERE status = 'ACTIVE';--> statement-breakpoint
CREATE INDEX "stock_hold_ended" ON "stock_hold" USING btree ("expires_at","merchant_id") WHERE status <> 'ACTIVE';--> statement-breakpoint
CREATE INDEX "stock_key_age" ON "stock_key" USING btree ("created_at","merchant_id");--> statement-breakpoint
CREATE INDEX "stock_location_created" ON "stock_location" USING btree ("merchant_id","created_at" desc,"id");--> statement-breakpoint
CREATE INDEX "stock_location_updated" ON "stock_location" USING btree ("merchant_id","updated_at" desc);--> statement-breakpoint
CREATE INDEX "stock_location_name" ON "stock_location" USING btree ("merchant_id","name" collate "und-x-icu");--> statement-breakpoint
CREATE UNIQUE INDEX "stock_movement_sequence" ON "stock_movement" USING btree ("merchant_id","product_stock_location_id","sequence");--> statement-breakpoint
CREATE INDEX "stock_movement_variant" ON "stock_movement" USING btree ("merchant_id","variant_id","id");--> statement-breakpoint
CREATE INDEX "stock_movement_location" ON "stock_movement" USING btree ("merchant_id","stock_location_id","id");--> statement-breakpoint
CREATE INDEX "stock_movement_product" ON "stock_movement" USING btree ("merchant_id","product_id","id");--> statement-breakpoint
CREATE INDEX "stock_movement_kind" ON "stock_movement" USING btree ("merchant_id","kind","id") WHERE kind not in ('SOLD', 'COUNTED', 'IMPORTED');--> statement-breakpoint
CREATE INDEX "stock_movement_change_set" ON "stock_movement" USING btree ("merchant_id","change_set_id","product_stock_location_id","sequence");--> statement-breakpoint
CREATE INDEX "stock_movement_authorized_app" ON "stock_movement" USING btree ("merchant_id","authorized_app_id","id") WHERE authorized_app_id is not null;--> statement-breakpoint
CREATE INDEX "stock_movement_reference" ON "stock_movement" USING btree ("merchant_id","reference","id") WHERE reference is not null;--> statement-breakpoint
CREATE INDEX "variant_product" ON "variant" USING btree ("merchant_id","product_id","deleted","position");--> statement-breakpoint
CREATE INDEX "variant_sku" ON "variant" USING btree ("merchant_id","sku");--> statement-breakpoint
CREATE INDEX "variant_source_id" ON "variant" USING btree ("merchant_id","source_id") WHERE source_id is not null;--> statement-breakpoint
CREATE INDEX "variant_barcode_list" ON "variant" USING gin ("merchant_id","barcode_list") WITH (gin_pending_list_limit=512);--> statement-breakpoint
CREATE INDEX "variant_type_ids" ON "variant" USING gin ("merchant_id","variant_type_ids") WITH (gin_pending_list_limit=512) WHERE variant_type_ids is not null;--> statement-breakpoint
CREATE INDEX "variant_without_type" ON "variant" USING btree ("merchant_id","product_id") WHERE variant_type_ids is null;--> statement-breakpoint
CREATE INDEX "variant_attribute_ids" ON "variant" USING gin ("merchant_id","attribute_ids") WITH (gin_pending_list_limit=512) WHERE attribute_ids is not null;--> statement-breakpoint
CREATE INDEX "variant_bundle_product_ids" ON "variant" USING gin ("merchant_id","bundle_product_ids") WITH (gin_pending_list_limit=512) WHERE bundle_product_ids is not null;--> statement-breakpoint
CREATE INDEX "variant_image_ids" ON "variant" USING gin ("merchant_id","image_ids") WITH (gin_pending_list_limit=512) WHERE image_ids is not null;--> statement-breakpoint
CREATE INDEX "variant_attribute_image_ids" ON "variant" USING gin ("merchant_id","attribute_image_ids") WITH (gin_pending_list_limit=512) WHERE attribute_image_ids is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "variant_type_name_key" ON "variant_type" USING btree ("merchant_id","name") WHERE not deleted;--> statement-breakpoint
CREATE INDEX "variant_type_created" ON "variant_type" USING btree ("merchant_id","created_at" desc,"id");--> statement-breakpoint
CREATE INDEX "variant_type_updated" ON "variant_type" USING btree ("merchant_id","updated_at" desc);--> statement-breakpoint
CREATE INDEX "variant_type_name" ON "variant_type" USING btree ("merchant_id","name" collate "und-x-icu");--> statement-breakpoint
CREATE UNIQUE INDEX "variant_value_type_key" ON "variant_value" USING btree ("merchant_id","variant_type_id","id");--> statement-breakpoint
CREATE INDEX "variant_value_removed" ON "variant_value" USING btree ("merchant_id","variant_type_id","name","id") WHERE deleted;--> statement-breakpoint
CREATE UNIQUE INDEX "variant_value_name_key" ON "variant_value" USING btree ("merchant_id","variant_type_id","name") WHERE not deleted;--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_scope_key" ON "webhook" USING btree ("merchant_id","authorized_app_id","scope");--> statement-breakpoint
CREATE INDEX "webhook_attempt_count_age" ON "webhook_attempt_count" USING btree ("hour","merchant_id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_pending" ON "webhook_delivery" USING btree ("merchant_id","webhook_id","id") WHERE state = 'PENDING';--> statement-breakpoint
CREATE INDEX "webhook_delivery_app" ON "webhook_delivery" USING btree ("merchant_id","authorized_app_id","id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_undelivered" ON "webhook_delivery" USING btree ("merchant_id","authorized_app_id","id") WHERE state <> 'DELIVERED';--> statement-breakpoint
CREATE INDEX "webhook_delivery_failed" ON "webhook_delivery" USING btree ("merchant_id","id") WHERE state = 'FAILED';--> statement-breakpoint
CREATE INDEX "webhook_delivery_record" ON "webhook_delivery" USING btree ("merchant_id","record_id","id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_unqueued" ON "webhook_delivery" USING btree ("merchant_id","id") WHERE not is_queued and next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_delivery_age" ON "webhook_delivery" USING btree ("state","created_at","merchant_id") WHERE state <> 'PENDING';--> statement-breakpoint
ALTER TABLE "access_token" ADD CONSTRAINT "access_token_app_fk" FOREIGN KEY ("merchant_id","authorized_app_id") REFERENCES "public"."authorized_app"("merchant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "app_point_bucket" ADD CONSTRAINT "app_point_bucket_app_fk" FOREIGN KEY ("merchant_id","authorized_app_id") REFERENCES "public"."authorized_app"("merchant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authorized_app" ADD CONSTRAINT "authorized_app_merchant_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchant"("merchant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_operation_image" ADD CONSTRAINT "bulk_operation_image_operation_fk" FOREIGN KEY ("merchant_id","bulk_operation_id") REFERENCES "public"."bulk_operation"("merchant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_operation_image" ADD CONSTRAINT "bulk_operation_image_variant_fk" FOREIGN KEY ("merchant_id","variant_id") REFERENCES "public"."variant"("merchant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_operation_image" ADD CONSTRAINT "bulk_operation_image_value_fk" FOREIGN KEY ("merchant_id","variant_type_id","variant_value_id") REFERENCES "public"."variant_value"("merchant_id","variant_type_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "category" ADD CONSTRAINT "category_parent_fk" FOREIGN KEY ("merchant_id","parent_id") REFERENCES "public"."category"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer" ADD CONSTRAINT "customer_price_list_fk" FOREIGN KEY ("merchant_id","price_list_id") REFERENCES "public"."price_list"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer" ADD CONSTRAINT "customer_last_price_list_fk" FOREIGN KEY ("merchant_id","last_price_list_id") REFERENCES "public"."price_list"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_attribute_option" ADD CONSTRAINT "product_attribute_option_attribute_fk" FOREIGN KEY ("merchant_id","attribute_id") REFERENCES "public"."product_attribute"("merchant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_search" ADD CONSTRAINT "product_search_product_fk" FOREIGN KEY ("merchant_id","product_id") REFERENCES "public"."product"("merchant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_stock_location" ADD CONSTRAINT "product_stock_location_product_fk" FOREIGN KEY ("merchant_id","product_id") REFERENCES "public"."product"("merchant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_stock_location" ADD CONSTRAINT "product_stock_location_variant_fk" FOREIGN KEY ("merchant_id","variant_id") REFERENCES "public"."variant"("merchant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_stock_location" ADD CONSTRAINT "product_stock_location_location_fk" FOREIGN KEY ("merchant_id","stock_location_id") REFERENCES "public"."stock_location"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales_channel" ADD CONSTRAINT "sales_channel_price_list_fk" FOREIGN KEY ("merchant_id","price_list_id") REFERENCES "public"."price_list"("merchant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_code" ADD CONSTRAINT "sign_in_code_app_fk" FOREIGN KEY ("merchant_id","authorized_app_id") REFERENCES "public"."authorized_app"("merchant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "variant" ADD CONSTRAINT "variant_product_fk" FOREIGN KEY ("merchant_id","product_id") REFERENCES "public"."product"("merchant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "variant_value" ADD CONSTRAINT "variant_value_type_fk" FOREIGN KEY ("merchant_id","variant_type_id") REFERENCES "public"."variant_type"("merchant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook" ADD CONSTRAINT "webhook_app_fk" FOREIGN KEY ("merchant_id","authorized_app_id") REFERENCES "public"."authorized_app"("merchant_id","id") ON DELETE cascade ON UPDATE no action;
