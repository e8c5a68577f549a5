CREATE SEQUENCE "public"."category_membership_wake_up" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE SEQUENCE "public"."merchant_sequence" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE SEQUENCE "public"."product_search_wake_up" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE SEQUENCE "public"."webhook_wake_up" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "access_token" (
	"merchant_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"authorized_app_id" uuid NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"last_used_at" timestamp(3) with time zone,
	CONSTRAINT "access_token_merchant_id_hash_pk" PRIMARY KEY("merchant_id","hash"),
	CONSTRAINT "access_token_years_1_to_9999" CHECK (least("created_at", "expires_at", "last_used_at") >= timestamptz '0001-01-01Z' and greatest("created_at", "expires_at", "last_used_at") < timestamptz '10000-01-01Z')
);--> statement-breakpoint
CREATE TABLE "app_point_bucket" (
	"merchant_id" uuid NOT NULL,
	"authorized_app_id" uuid NOT NULL,
	"full_at_ms" double precision NOT NULL,
	"added_at_ms" double precision NOT NULL,
	CONSTRAINT "app_point_bucket_merchant_id_authorized_app_id_pk" PRIMARY KEY("merchant_id","authorized_app_id")
);--> statement-breakpoint
CREATE TABLE "authorized_app" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"name" text NOT NULL,
	"email" text,
	"partner_id" text NOT NULL,
	"store_app_id" text NOT NULL,
	"sales_channel_id" uuid,
	"scopes" text[] NOT NULL,
	"supports_multiple_installation" boolean DEFAULT false NOT NULL,
	"client_id" text NOT NULL,
	"client_secret_encrypted" text NOT NULL,
	"former_secret_encrypted" text,
	"former_secret_until" timestamp(3) with time zone,
	"added_date" timestamp(3) with time zone NOT NULL,
	"revoked_at" timestamp(3) with time zone,
	"last_used_at" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "authorized_app_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "authorized_app_years_1_to_9999" CHECK (least("former_secret_until", "added_date", "revoked_at", "last_used_at", "created_at", "updated_at") >= timestamptz '0001-01-01Z' and greatest("former_secret_until", "added_date", "revoked_at", "last_used_at", "created_at", "updated_at") < timestamptz '10000-01-01Z')
);--> statement-breakpoint
CREATE TABLE "bulk_operation" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"total" integer NOT NULL,
	"created" integer NOT NULL,
	"updated" integer NOT NULL,
	"deleted" integer NOT NULL,
	"authorized_app_id" uuid,
	"change_set_id" uuid,
	"change_transaction_id" uuid,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bulk_operation_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "bulk_operation_years_1_to_9999" CHECK (least("created_at", "updated_at") >= timestamptz '0001-01-01Z' and greatest("created_at", "updated_at") < timestamptz '10000-01-01Z')
);--> statement-breakpoint
CREATE TABLE "bulk_operation_image" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"bulk_operation_id" uuid NOT NULL,
	"product_id" uuid,
	"variant_id" uuid,
	"variant_type_id" uuid,
	"variant_value_id" uuid,
	"path" text NOT NULL,
	"url" text NOT NULL,
	"is_main" boolean NOT NULL,
	"is_video" boolean,
	"order" numeric NOT NULL,
	"state" text DEFAULT 'PENDING' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"error" text,
	"image_id" text,
	"change_transaction_id" uuid,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bulk_operation_image_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "bulk_operation_image_target" CHECK (num_nonnulls(variant_id, variant_value_id) = 1),
	CONSTRAINT "bulk_operation_image_years_1_to_9999" CHECK (least("next_attempt_at", "created_at", "updated_at") >= timestamptz '0001-01-01Z' and greatest("next_attempt_at", "created_at", "updated_at") < timestamptz '10000-01-01Z'),
	CONSTRAINT "bulk_operation_image_finite_numbers" CHECK (least("order") > numeric '-Infinity' and greatest("order") < numeric 'Infinity'),
	CONSTRAINT "bulk_operation_image_enum_values" CHECK ("state" in ('PENDING', 'DONE', 'FAILED', 'STORED'))
);--> statement-breakpoint
CREATE TABLE "category" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"name" text NOT NULL,
	"parent_id" uuid,
	"path" uuid[] DEFAULT '{}' NOT NULL,
	"conditions" json,
	"description" text,
	"image_id" text,
	"is_automated" boolean,
	"by_conditions" boolean DEFAULT false NOT NULL,
	"order_type" text,
	"sales_channel_ids" uuid[] DEFAULT '{}' NOT NULL,
	"sales_channels" json,
	"should_match_all_conditions" boolean,
	"translations" json,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "category_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "category_years_1_to_9999" CHECK (least("created_at", "updated_at") >= timestamptz '0001-01-01Z' and greatest("created_at", "updated_at") < timestamptz '10000-01-01Z'),
	CONSTRAINT "category_enum_values" CHECK ("order_type" in ('BEST_SELLER', 'HIGHEST_DISCOUNT_RATIO', 'HIGHEST_PRICE', 'LOWEST_DISCOUNT_RATIO', 'LOWEST_PRICE', 'MANUALLY', 'NAME_ASC', 'NAME_DESC', 'NEWEST', 'OLDEST'))
);--> statement-breakpoint
CREATE TABLE "category_product" (
	"merchant_id" uuid NOT NULL,
	"category_id" uuid NOT NULL,
	"by_conditions" boolean DEFAULT false NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"product_id" uuid NOT NULL,
	CONSTRAINT "category_product_years_1_to_9999" CHECK (least("created_at") >= timestamptz '0001-01-01Z' and greatest("created_at") < timestamptz '10000-01-01Z')
);--> statement-breakpoint
CREATE TABLE "change" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"record_type" text NOT NULL,
	"record_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"kind" text NOT NULL,
	"change_transaction_id" uuid NOT NULL,
	"change_set_id" uuid NOT NULL,
	"authorized_app_id" uuid,
	"truncated" boolean DEFAULT false NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "change_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "change_years_1_to_9999" CHECK (least("created_at") >= timestamptz '0001-01-01Z' and greatest("created_at") < timestamptz '10000-01-01Z'),
	CONSTRAINT "change_enum_values" CHECK ("record_type" in ('PRODUCT', 'PRODUCT_STOCK_LOCATION', 'CUSTOMER', 'CATEGORY', 'PRODUCT_BRAND', 'PRODUCT_TAG', 'PRODUCT_ATTRIBUTE', 'PRODUCT_VARIANT_TYPE', 'PRICE_LIST', 'SALES_CHANNEL', 'STOCK_LOCATION', 'WEBHOOK', 'AUTHORIZED_APP') and "kind" in ('CREATED', 'UPDATED', 'DELETED', 'RESTORED'))
);--> statement-breakpoint
CREATE TABLE "change_part" (
	"merchant_id" uuid NOT NULL,
	"change_transaction_id" uuid NOT NULL,
	"record_id" uuid NOT NULL,
	"record_type" text NOT NULL,
	"statement" integer NOT NULL,
	"part" text NOT NULL,
	"row_change" text NOT NULL,
	"before" json,
	"after" json,
	"truncated" boolean DEFAULT false NOT NULL,
	CONSTRAINT "change_part_pk" PRIMARY KEY("merchant_id","change_transaction_id","record_id","statement"),
	CONSTRAINT "change_part_enum_values" CHECK ("record_type" in ('PRODUCT', 'PRODUCT_STOCK_LOCATION', 'CUSTOMER', 'CATEGORY', 'PRODUCT_BRAND', 'PRODUCT_TAG', 'PRODUCT_ATTRIBUTE', 'PRODUCT_VARIANT_TYPE', 'PRICE_LIST', 'SALES_CHANNEL', 'STOCK_LOCATION', 'WEBHOOK', 'AUTHORIZED_APP') and "row_change" in ('INSERTED', 'UPDATED', 'DELETED', 'RESTORED', 'REMOVED', 'STAMPED'))
);--> statement-breakpoint
CREATE TABLE "change_set" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"authorized_app_id" uuid,
	"operation" text,
	"request_id" text,
	"idempotency_key" text,
	"reverts_change_set_id" uuid,
	"reverts_movement_ids" uuid[],
	"actor" text,
	"database_role" text,
	"application_name" text,
	"created_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "change_set_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "change_set_years_1_to_9999" CHECK (least("created_at") >= timestamptz '0001-01-01Z' and greatest("created_at") < timestamptz '10000-01-01Z')
);--> statement-breakpoint
CREATE TABLE "change_transaction" (
	"merchant_id" uuid NOT NULL,
	"transaction_id" "xid8" NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"change_set_id" uuid NOT NULL,
	"change_set_ids" uuid[],
	"authorized_app_id" uuid,
	"operation" text,
	"request_id" text,
	"idempotency_key" text,
	"reverts_change_set_id" uuid,
	"reverts_movement_ids" uuid[],
	"actor" text,
	"database_role" text,
	"application_name" text,
	"is_kept" boolean DEFAULT true NOT NULL,
	"is_full" boolean DEFAULT false NOT NULL,
	CONSTRAINT "change_transaction_merchant_id_transaction_id_pk" PRIMARY KEY("merchant_id","transaction_id")
);--> statement-breakpoint
CREATE TABLE "changed_record" (
	"merchant_id" uuid NOT NULL,
	"record_id" uuid NOT NULL,
	"record_type" text NOT NULL,
	"number" integer NOT NULL,
	"changed_at_ms" bigint NOT NULL,
	CONSTRAINT "changed_record_merchant_id_record_id_record_type_pk" PRIMARY KEY("merchant_id","record_id","record_type"),
	CONSTRAINT "changed_record_enum_values" CHECK ("record_type" in ('PRODUCT', 'PRODUCT_STOCK_LOCATION', 'CUSTOMER', 'CATEGORY', 'PRODUCT_BRAND', 'PRODUCT_TAG', 'PRODUCT_ATTRIBUTE', 'PRODUCT_VARIANT_TYPE', 'PRICE_LIST', 'SALES_CHANNEL', 'STOCK_LOCATION', 'WEBHOOK', 'AUTHORIZED_APP'))
);--> statement-breakpoint
CREATE TABLE "client_operation" (
	"merchant_id" uuid NOT NULL,
	"authorized_app_id" uuid NOT NULL,
	"operation" text NOT NULL,
	"name" text,
	"text" text NOT NULL,
	"last_used_on" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "client_operation_merchant_id_authorized_app_id_operation_pk" PRIMARY KEY("merchant_id","authorized_app_id","operation"),
	CONSTRAINT "client_operation_years_1_to_9999" CHECK (least("last_used_on") >= timestamptz '0001-01-01Z' and greatest("last_used_on") < timestamptz '10000-01-01Z')
);--> statement-breakpoint
CREATE TABLE "customer" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"sequence" integer,
	"first_name" text NOT NULL,
	"last_name" text,
	"full_name" text GENERATED ALWAYS AS (first_name || coalesce(' ' || nullif(last_name, ''), '')) STORED NOT NULL,
	"email" text,
	"phone" text,
	"note" text,
	"ip" text,
	"user_agent" text,
	"preferred_language" text,
	"price_list_id" uuid,
	"last_price_list_id" uuid,
	"last_storefront_routing_id" text,
	"order_count" integer DEFAULT 0,
	"total_order_price" numeric(19, 6) DEFAULT 0,
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
	"search_text" text GENERATED ALWAYS AS (fold(first_name || coalesce(' ' || nullif(last_name, ''), '') || coalesce(chr(10) || email, '') || coalesce(chr(10) || phone, ''))) STORED NOT NULL,
	"erasure_blocked_until" timestamp(3) with time zone,
	"erasure_id" uuid,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "customer_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "customer_erased" CHECK (erasure_id is null or (deleted and first_name = '' and num_nonnulls(sequence, last_name, email, phone, note, ip, user_agent,
    preferred_language, price_list_id, last_price_list_id, last_storefront_routing_id, order_count, total_order_price,
    first_order_date, last_order_date, is_email_verified, email_verified_date, is_phone_verified, phone_verified_date,
    birth_date, password_update_date, gender, account_status, account_status_updated_at, b2b_status,
    registration_source, subscription_status, subscription_status_updated_at, sms_subscription_status,
    sms_subscription_status_updated_at, phone_subscription_status, phone_subscription_status_updated_at,
    erasure_blocked_until) = 0
    and cardinality(tag_ids) = 0 and cardinality(customer_group_ids) = 0 and cardinality(customer_segment_ids) = 0
    and addresses::text = '[]' and attributes::text = '[]' and price_list_rules::text = '[]')),
	CONSTRAINT "customer_years_1_to_9999" CHECK (least("first_order_date", "last_order_date", "email_verified_date", "phone_verified_date", "birth_date", "password_update_date", "account_status_updated_at", "subscription_status_updated_at", "sms_subscription_status_updated_at", "phone_subscription_status_updated_at", "erasure_blocked_until", "created_at", "updated_at") >= timestamptz '0001-01-01Z' and greatest("first_order_date", "last_order_date", "email_verified_date", "phone_verified_date", "birth_date", "password_update_date", "account_status_updated_at", "subscription_status_updated_at", "sms_subscription_status_updated_at", "phone_subscription_status_updated_at", "erasure_blocked_until", "created_at", "updated_at") < timestamptz '10000-01-01Z'),
	CONSTRAINT "customer_finite_numbers" CHECK (least("total_order_price") > numeric '-Infinity' and greatest("total_order_price") < numeric 'Infinity'),
	CONSTRAINT "customer_enum_values" CHECK ("gender" in ('FEMALE', 'MALE', 'OTHER') and "account_status" in ('ACTIVE_ACCOUNT', 'DEACTIVATED_ACCOUNT', 'DECLINED_ACCOUNT_INVITATION', 'DISABLED_ACCOUNT', 'INVITED_TO_CREATE_ACCOUNT') and "b2b_status" in ('ACTIVE_ACCOUNT', 'DISABLED_ACCOUNT', 'WAITING_FOR_APPROVAL') and "registration_source" in ('apple', 'credentials', 'facebook', 'google', 'sms', 'twitch') and "subscription_status" in ('NOT_SUBSCRIBED', 'PENDING_CONFIRMATION', 'SUBSCRIBED') and "sms_subscription_status" in ('NOT_SUBSCRIBED', 'PENDING_CONFIRMATION', 'SUBSCRIBED') and "phone_subscription_status" in ('NOT_SUBSCRIBED', 'PENDING_CONFIRMATION', 'SUBSCRIBED'))
);--> statement-breakpoint
CREATE TABLE "customer_counter" (
	"merchant_id" uuid NOT NULL,
	"value" integer NOT NULL,
	CONSTRAINT "customer_counter_merchant_id_pk" PRIMARY KEY("merchant_id")
);--> statement-breakpoint
CREATE TABLE "erasure" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"customer_ids" uuid[] NOT NULL,
	"items" json NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"copied_at" timestamp(3) with time zone,
	CONSTRAINT "erasure_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "erasure_years_1_to_9999" CHECK (least("created_at", "copied_at") >= timestamptz '0001-01-01Z' and greatest("created_at", "copied_at") < timestamptz '10000-01-01Z')
);--> statement-breakpoint
CREATE TABLE "idempotency_key" (
	"merchant_id" uuid NOT NULL,
	"authorized_app_id" uuid NOT NULL,
	"key" text NOT NULL,
	"content_hash" text NOT NULL,
	"answer" text,
	"customer_ids" uuid[],
	"created_at" timestamp(3) with time zone NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "idempotency_key_merchant_id_authorized_app_id_key_pk" PRIMARY KEY("merchant_id","authorized_app_id","key"),
	CONSTRAINT "idempotency_key_years_1_to_9999" CHECK (least("created_at", "expires_at") >= timestamptz '0001-01-01Z' and greatest("created_at", "expires_at") < timestamptz '10000-01-01Z')
);--> statement-breakpoint
CREATE TABLE "idempotency_usage" (
	"merchant_id" uuid NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "idempotency_usage_merchant_id_expires_at_pk" PRIMARY KEY("merchant_id","expires_at"),
	CONSTRAINT "idempotency_usage_years_1_to_9999" CHECK (least("expires_at") >= timestamptz '0001-01-01Z' and greatest("expires_at") < timestamptz '10000-01-01Z')
);--> statement-breakpoint
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
	CONSTRAINT "image_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "image_years_1_to_9999" CHECK (least("unused_since", "created_at", "updated_at") >= timestamptz '0001-01-01Z' and greatest("unused_since", "created_at", "updated_at") < timestamptz '10000-01-01Z'),
	CONSTRAINT "image_enum_values" CHECK ("content_type" in ('image/jpeg', 'image/png', 'image/webp'))
);--> statement-breakpoint
CREATE TABLE "membership_lock" (
	"merchant_id" uuid NOT NULL,
	CONSTRAINT "membership_lock_merchant_id_pk" PRIMARY KEY("merchant_id")
);--> statement-breakpoint
CREATE TABLE "membership_pending_category" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"category_id" uuid NOT NULL,
	"after_product_id" uuid DEFAULT '00000000-0000-0000-0000-000000000000' NOT NULL,
	CONSTRAINT "membership_pending_category_merchant_id_id_pk" PRIMARY KEY("merchant_id","id")
);--> statement-breakpoint
CREATE TABLE "membership_pending_product" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"product_id" uuid NOT NULL,
	CONSTRAINT "membership_pending_product_merchant_id_id_pk" PRIMARY KEY("merchant_id","id")
);--> statement-breakpoint
CREATE TABLE "membership_recheck" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"category_id" uuid NOT NULL,
	"transaction_id" "xid8",
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "membership_recheck_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "membership_recheck_years_1_to_9999" CHECK (least("created_at") >= timestamptz '0001-01-01Z' and greatest("created_at") < timestamptz '10000-01-01Z')
);--> statement-breakpoint
CREATE TABLE "merchant" (
	"merchant_id" uuid NOT NULL,
	"sequence" integer NOT NULL,
	"email" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"merchant_name" text,
	"phone_number" text,
	"store_name" text,
	"region" text,
	"language" text,
	"currency_code" text DEFAULT 'USD' NOT NULL,
	"currency_symbol" text DEFAULT '$' NOT NULL,
	"currency_since" timestamp(3) with time zone,
	"address" json,
	"billing_address" json,
	"history_since" timestamp(3) with time zone DEFAULT now(),
	"is_history_full" boolean DEFAULT false NOT NULL,
	"is_stock_held_full" boolean DEFAULT false NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "merchant_merchant_id_pk" PRIMARY KEY("merchant_id"),
	CONSTRAINT "merchant_language_tag" CHECK ("merchant"."language" ~ '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$'),
	CONSTRAINT "merchant_years_1_to_9999" CHECK (least("currency_since", "history_since", "created_at", "updated_at") >= timestamptz '0001-01-01Z' and greatest("currency_since", "history_since", "created_at", "updated_at") < timestamptz '10000-01-01Z'),
	CONSTRAINT "merchant_enum_values" CHECK ("region" in ('AF', 'AN', 'AS', 'EU', 'OC', 'PL', 'TR', 'US'))
);--> statement-breakpoint
CREATE TABLE "html_meta_data" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"target_id" uuid NOT NULL,
	"target_type" text NOT NULL,
	"slug" text NOT NULL,
	"page_title" text,
	"description" text,
	"canonicals" text[],
	"disable_index" boolean,
	"redirect_to" text,
	"metadata_overrides" json,
	"translations" json,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "html_meta_data_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "html_meta_data_years_1_to_9999" CHECK (least("created_at", "updated_at") >= timestamptz '0001-01-01Z' and greatest("created_at", "updated_at") < timestamptz '10000-01-01Z'),
	CONSTRAINT "html_meta_data_enum_values" CHECK ("target_type" in ('BRAND', 'CATEGORY', 'PAGE', 'PRODUCT'))
);--> statement-breakpoint
CREATE TABLE "price_list" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"name" text NOT NULL,
	"currency" text NOT NULL,
	"currency_code" text,
	"currency_symbol" text,
	"type" text,
	"add_products_automatically" boolean,
	"rule_list" json,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "price_list_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "price_list_years_1_to_9999" CHECK (least("created_at", "updated_at") >= timestamptz '0001-01-01Z' and greatest("created_at", "updated_at") < timestamptz '10000-01-01Z'),
	CONSTRAINT "price_list_enum_values" CHECK ("type" in ('DYNAMIC', 'DYNAMIC_RATE', 'MANUAL'))
);--> statement-breakpoint
CREATE TABLE "product" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"base_unit" json,
	"brand_id" uuid,
	"description" text,
	"short_description" text,
	"google_taxonomy_id" text,
	"group_variants_by_variant_type_id" uuid,
	"max_quantity_per_cart" numeric(19, 6),
	"product_option_set_id" text,
	"product_volume_discount_id" text,
	"release_date" timestamp(3) with time zone,
	"category_ids" uuid[] DEFAULT '{}' NOT NULL,
	"tag_ids" uuid[] DEFAULT '{}' NOT NULL,
	"dynamic_price_list_ids" uuid[] DEFAULT '{}' NOT NULL,
	"sales_channel_ids" uuid[] DEFAULT '{}' NOT NULL,
	"hidden_sales_channel_ids" uuid[] DEFAULT '{}' NOT NULL,
	"sales_channels" json,
	"product_variant_types" json,
	"attributes" json,
	"attribute_ids" text[],
	"attribute_image_ids" text[],
	"subscription_plan_id" text,
	"translations" json,
	"vendor_id" text,
	"weight" numeric,
	"source_id" text,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "product_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "product_years_1_to_9999" CHECK (least("release_date", "created_at", "updated_at") >= timestamptz '0001-01-01Z' and greatest("release_date", "created_at", "updated_at") < timestamptz '10000-01-01Z'),
	CONSTRAINT "product_finite_numbers" CHECK (least("max_quantity_per_cart", "weight") > numeric '-Infinity' and greatest("max_quantity_per_cart", "weight") < numeric 'Infinity'),
	CONSTRAINT "product_enum_values" CHECK ("type" in ('PHYSICAL', 'DIGITAL', 'BUNDLE', 'MEMBERSHIP', 'SUBSCRIPTION'))
);--> statement-breakpoint
CREATE TABLE "product_attribute" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"description" text,
	"table_template" json,
	"translations" json,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "product_attribute_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "product_attribute_years_1_to_9999" CHECK (least("created_at", "updated_at") >= timestamptz '0001-01-01Z' and greatest("created_at", "updated_at") < timestamptz '10000-01-01Z'),
	CONSTRAINT "product_attribute_enum_values" CHECK ("type" in ('BOOLEAN', 'CHOICE', 'COLOR_THUMBNAIL_MULTIPLE_CHOICE', 'DATE', 'DATETIME', 'HTML', 'IMAGE', 'MULTIPLE_CHOICE', 'NUMERIC', 'PRODUCT', 'TABLE', 'TEXT'))
);--> statement-breakpoint
CREATE TABLE "product_attribute_option" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"attribute_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"color_code" text,
	"thumbnail_image_id" text,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "product_attribute_option_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "product_attribute_option_years_1_to_9999" CHECK (least("created_at", "updated_at") >= timestamptz '0001-01-01Z' and greatest("created_at", "updated_at") < timestamptz '10000-01-01Z')
);--> statement-breakpoint
CREATE TABLE "product_brand" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"image_id" text,
	"order_type" text,
	"sales_channel_ids" uuid[] DEFAULT '{}' NOT NULL,
	"translations" json,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "product_brand_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "product_brand_years_1_to_9999" CHECK (least("created_at", "updated_at") >= timestamptz '0001-01-01Z' and greatest("created_at", "updated_at") < timestamptz '10000-01-01Z'),
	CONSTRAINT "product_brand_enum_values" CHECK ("order_type" in ('BEST_SELLER', 'HIGHEST_DISCOUNT_RATIO', 'HIGHEST_PRICE', 'LOWEST_DISCOUNT_RATIO', 'LOWEST_PRICE', 'MANUALLY', 'NAME_ASC', 'NAME_DESC', 'NEWEST', 'OLDEST'))
);--> statement-breakpoint
CREATE TABLE "product_price" (
	"merchant_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"price_list_id" uuid NOT NULL,
	"lowest" numeric(19, 6) NOT NULL,
	"highest" numeric(19, 6) NOT NULL,
	"prices" numeric(19, 6)[] NOT NULL,
	CONSTRAINT "product_price_merchant_id_product_id_price_list_id_pk" PRIMARY KEY("merchant_id","product_id","price_list_id"),
	CONSTRAINT "product_price_finite_numbers" CHECK (least("lowest", "highest") > numeric '-Infinity' and greatest("lowest", "highest") < numeric 'Infinity')
);--> statement-breakpoint
CREATE TABLE "product_search" (
	"merchant_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"document" "tsvector" NOT NULL,
	CONSTRAINT "product_search_merchant_id_product_id_pk" PRIMARY KEY("merchant_id","product_id")
);--> statement-breakpoint
CREATE TABLE "product_search_pending" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"product_id" uuid NOT NULL,
	CONSTRAINT "product_search_pending_merchant_id_id_pk" PRIMARY KEY("merchant_id","id")
);--> statement-breakpoint
CREATE TABLE "product_search_word" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"word" text NOT NULL,
	"record_id" uuid,
	"unused_since" timestamp(3) with time zone,
	CONSTRAINT "product_search_word_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "product_search_word_years_1_to_9999" CHECK (least("unused_since") >= timestamptz '0001-01-01Z' and greatest("unused_since") < timestamptz '10000-01-01Z')
);--> statement-breakpoint
CREATE TABLE "product_stock_location" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"product_id" uuid NOT NULL,
	"variant_id" uuid NOT NULL,
	"stock_location_id" uuid NOT NULL,
	"stock_count" numeric(19, 6) NOT NULL,
	"last_movement_number" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "product_stock_location_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "product_stock_location_years_1_to_9999" CHECK (least("created_at", "updated_at") >= timestamptz '0001-01-01Z' and greatest("created_at", "updated_at") < timestamptz '10000-01-01Z'),
	CONSTRAINT "product_stock_location_finite_numbers" CHECK (least("stock_count") > numeric '-Infinity' and greatest("stock_count") < numeric 'Infinity')
);--> statement-breakpoint
CREATE TABLE "product_tag" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"name" text NOT NULL,
	"translations" json,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "product_tag_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "product_tag_years_1_to_9999" CHECK (least("created_at", "updated_at") >= timestamptz '0001-01-01Z' and greatest("created_at", "updated_at") < timestamptz '10000-01-01Z')
);--> statement-breakpoint
CREATE TABLE "revert_run" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"reverted_change_set_id" uuid NOT NULL,
	"reverted_transaction_id" uuid,
	"change_set_id" uuid NOT NULL,
	"authorized_app_id" uuid,
	"operation" text NOT NULL,
	"request_id" text,
	"idempotency_key" text,
	"actor" text,
	"last_record_type" text,
	"last_record_id" uuid,
	"is_ended" boolean DEFAULT false NOT NULL,
	"conflict_count" integer DEFAULT 0 NOT NULL,
	"conflicts" json,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "revert_run_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "revert_run_years_1_to_9999" CHECK (least("created_at") >= timestamptz '0001-01-01Z' and greatest("created_at") < timestamptz '10000-01-01Z'),
	CONSTRAINT "revert_run_enum_values" CHECK ("last_record_type" in ('PRODUCT', 'PRODUCT_STOCK_LOCATION', 'CUSTOMER', 'CATEGORY', 'PRODUCT_BRAND', 'PRODUCT_TAG', 'PRODUCT_ATTRIBUTE', 'PRODUCT_VARIANT_TYPE', 'PRICE_LIST', 'SALES_CHANNEL', 'STOCK_LOCATION', 'WEBHOOK', 'AUTHORIZED_APP'))
);--> statement-breakpoint
CREATE TABLE "sales_channel" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"price_list_id" uuid,
	"stock_locations" json,
	"payment_gateways" json,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "sales_channel_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "sales_channel_years_1_to_9999" CHECK (least("created_at", "updated_at") >= timestamptz '0001-01-01Z' and greatest("created_at", "updated_at") < timestamptz '10000-01-01Z'),
	CONSTRAINT "sales_channel_enum_values" CHECK ("type" in ('ADMIN', 'APP', 'B2B_STOREFRONT', 'FACEBOOK', 'GOOGLE', 'POS', 'STOREFRONT', 'STOREFRONT_APP'))
);--> statement-breakpoint
CREATE TABLE "schema_usage" (
	"merchant_id" uuid NOT NULL,
	"authorized_app_id" uuid NOT NULL,
	"day" timestamp(3) with time zone NOT NULL,
	"operation" text NOT NULL,
	"requests" json NOT NULL,
	CONSTRAINT "schema_usage_merchant_id_authorized_app_id_day_operation_pk" PRIMARY KEY("merchant_id","authorized_app_id","day","operation"),
	CONSTRAINT "schema_usage_years_1_to_9999" CHECK (least("day") >= timestamptz '0001-01-01Z' and greatest("day") < timestamptz '10000-01-01Z')
);--> statement-breakpoint
CREATE TABLE "sign_in_code" (
	"merchant_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"authorized_app_id" uuid NOT NULL,
	"scopes" text[] NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "sign_in_code_merchant_id_hash_pk" PRIMARY KEY("merchant_id","hash"),
	CONSTRAINT "sign_in_code_years_1_to_9999" CHECK (least("expires_at") >= timestamptz '0001-01-01Z' and greatest("expires_at") < timestamptz '10000-01-01Z')
);--> statement-breakpoint
CREATE TABLE "stock_hold" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"product_stock_location_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"variant_id" uuid NOT NULL,
	"stock_location_id" uuid NOT NULL,
	"quantity" numeric(19, 6) NOT NULL,
	"key" text NOT NULL,
	"reference" text,
	"status" text DEFAULT 'ACTIVE' NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "stock_hold_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "stock_hold_years_1_to_9999" CHECK (least("created_at", "expires_at") >= timestamptz '0001-01-01Z' and greatest("created_at", "expires_at") < timestamptz '10000-01-01Z'),
	CONSTRAINT "stock_hold_finite_numbers" CHECK (least("quantity") > numeric '-Infinity' and greatest("quantity") < numeric 'Infinity'),
	CONSTRAINT "stock_hold_enum_values" CHECK ("status" in ('ACTIVE', 'COMMITTED', 'RELEASED', 'EXPIRED'))
);--> statement-breakpoint
CREATE TABLE "stock_key" (
	"merchant_id" uuid NOT NULL,
	"key" text NOT NULL,
	"content_hash" text NOT NULL,
	"record_ids" uuid[] NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stock_key_merchant_id_key_pk" PRIMARY KEY("merchant_id","key"),
	CONSTRAINT "stock_key_years_1_to_9999" CHECK (least("created_at") >= timestamptz '0001-01-01Z' and greatest("created_at") < timestamptz '10000-01-01Z')
);--> statement-breakpoint
CREATE TABLE "stock_location" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"name" text NOT NULL,
	"type" text,
	"description" text,
	"address" json,
	"out_of_stock_mail_list" text[],
	"is_remind_out_of_stock_enabled" boolean,
	"delivery_time" text,
	"allows_negative_stock" boolean DEFAULT false NOT NULL,
	"translations" json,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "stock_location_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "stock_location_years_1_to_9999" CHECK (least("created_at", "updated_at") >= timestamptz '0001-01-01Z' and greatest("created_at", "updated_at") < timestamptz '10000-01-01Z'),
	CONSTRAINT "stock_location_enum_values" CHECK ("type" in ('PHYSICAL', 'VIRTUAL') and "delivery_time" in ('TWO_IN_FOUR_DAYS', 'WITHIN_FOUR_HOURS', 'WITHIN_ONE_HOUR', 'WITHIN_PLUS_FIVE_DAYS', 'WITHIN_TWENTY_FOUR_HOURS', 'WITHIN_TWO_HOURS'))
);--> statement-breakpoint
CREATE TABLE "stock_movement" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"product_stock_location_id" uuid NOT NULL,
	"sequence" integer NOT NULL,
	"change_number" integer,
	"kind" text NOT NULL,
	"delta" numeric(20, 6) NOT NULL,
	"count_after" numeric(19, 6) NOT NULL,
	"reason" text,
	"reference" text,
	"key" text,
	"product_id" uuid NOT NULL,
	"variant_id" uuid NOT NULL,
	"stock_location_id" uuid NOT NULL,
	"change_transaction_id" uuid NOT NULL,
	"change_set_id" uuid NOT NULL,
	"authorized_app_id" uuid,
	"count_created_at" timestamp(3) with time zone,
	"count_deleted" boolean,
	"created_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "stock_movement_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "stock_movement_years_1_to_9999" CHECK (least("count_created_at", "created_at") >= timestamptz '0001-01-01Z' and greatest("count_created_at", "created_at") < timestamptz '10000-01-01Z'),
	CONSTRAINT "stock_movement_finite_numbers" CHECK (least("delta", "count_after") > numeric '-Infinity' and greatest("delta", "count_after") < numeric 'Infinity'),
	CONSTRAINT "stock_movement_enum_values" CHECK ("kind" in ('OPENED', 'RECEIVED', 'SOLD', 'RETURNED', 'DAMAGED', 'COUNTED', 'MOVED', 'CORRECTED', 'IMPORTED'))
);--> statement-breakpoint
CREATE TABLE "variant" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"product_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"sku" text,
	"barcode_list" text[] DEFAULT '{}' NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"sell_if_out_of_stock" boolean,
	"weight" numeric,
	"unit" json,
	"hs_code" text,
	"file_id" text,
	"subscription_plan_id" text,
	"prices" json,
	"images" json,
	"variant_value_ids" json,
	"attributes" json,
	"bundle_settings" json,
	"image_ids" text[],
	"variant_type_ids" text[],
	"attribute_ids" text[],
	"attribute_image_ids" text[],
	"bundle_product_ids" text[],
	"source_id" text,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "variant_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "variant_years_1_to_9999" CHECK (least("created_at", "updated_at") >= timestamptz '0001-01-01Z' and greatest("created_at", "updated_at") < timestamptz '10000-01-01Z'),
	CONSTRAINT "variant_finite_numbers" CHECK (least("weight") > numeric '-Infinity' and greatest("weight") < numeric 'Infinity')
);--> statement-breakpoint
CREATE TABLE "variant_type" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"name" text NOT NULL,
	"selection_type" text NOT NULL,
	"translations" json,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "variant_type_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "variant_type_years_1_to_9999" CHECK (least("created_at", "updated_at") >= timestamptz '0001-01-01Z' and greatest("created_at", "updated_at") < timestamptz '10000-01-01Z'),
	CONSTRAINT "variant_type_enum_values" CHECK ("selection_type" in ('choice', 'color'))
);--> statement-breakpoint
CREATE TABLE "variant_value" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"variant_type_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"color_code" text,
	"thumbnail_image_id" text,
	"source_id" text,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "variant_value_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "variant_value_years_1_to_9999" CHECK (least("created_at", "updated_at") >= timestamptz '0001-01-01Z' and greatest("created_at", "updated_at") < timestamptz '10000-01-01Z')
);--> statement-breakpoint
CREATE TABLE "webhook" (
	"merchant_id" uuid NOT NULL,
	"id" uuid DEFAULT uuid_v7() NOT NULL,
	"authorized_app_id" uuid NOT NULL,
	"scope" text NOT NULL,
	"endpoint" text NOT NULL,
	"sales_channel_ids" uuid[] DEFAULT '{}' NOT NULL,
	"include_changes" boolean DEFAULT false NOT NULL,
	"status" text DEFAULT 'ACTIVE' NOT NULL,
	"paused_at" timestamp(3) with time zone,
	"given_up_in_a_row" integer DEFAULT 0 NOT NULL,
	"probe_id" uuid,
	"probed_at" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "webhook_years_1_to_9999" CHECK (least("paused_at", "probed_at", "created_at", "updated_at") >= timestamptz '0001-01-01Z' and greatest("paused_at", "probed_at", "created_at", "updated_at") < timestamptz '10000-01-01Z'),
	CONSTRAINT "webhook_enum_values" CHECK ("scope" in ('store/customer/created', 'store/customer/updated', 'store/customer/erased', 'store/product/created', 'store/product/updated', 'store/product/deleted', 'store/stock/created', 'store/stock/updated', 'store/stock/held', 'store/stock/released') and "status" in ('ACTIVE', 'PAUSED'))
);--> statement-breakpoint
CREATE TABLE "webhook_attempt_count" (
	"merchant_id" uuid NOT NULL,
	"webhook_id" uuid NOT NULL,
	"hour" timestamp(3) with time zone NOT NULL,
	"delivered" boolean NOT NULL,
	"duration_class" integer NOT NULL,
	"count" integer NOT NULL,
	"max_duration_ms" integer NOT NULL,
	"last_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "webhook_attempt_count_pk" PRIMARY KEY("merchant_id","webhook_id","hour","delivered","duration_class"),
	CONSTRAINT "webhook_attempt_count_years_1_to_9999" CHECK (least("hour", "last_at") >= timestamptz '0001-01-01Z' and greatest("hour", "last_at") < timestamptz '10000-01-01Z')
);--> statement-breakpoint
CREATE TABLE "webhook_change" (
	"merchant_id" uuid NOT NULL,
	"transaction_id" "xid8" NOT NULL,
	"product_id" uuid NOT NULL,
	"actions" text[] NOT NULL,
	"channels_left" uuid[] NOT NULL,
	"is_first" boolean NOT NULL,
	CONSTRAINT "webhook_change_merchant_id_transaction_id_product_id_pk" PRIMARY KEY("merchant_id","transaction_id","product_id")
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
	"details" json,
	"changes" json,
	"truncated" json,
	"state" text DEFAULT 'PENDING' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"claimed_at" timestamp(3) with time zone,
	"next_attempt_at" timestamp(3) with time zone,
	"is_queued" boolean DEFAULT true NOT NULL,
	"attempt_log" json DEFAULT '[]' NOT NULL,
	"is_erased" boolean DEFAULT false NOT NULL,
	"traceparent" text DEFAULT nullif(current_setting('commerce.traceparent', true), ''),
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_delivery_merchant_id_id_pk" PRIMARY KEY("merchant_id","id"),
	CONSTRAINT "webhook_delivery_years_1_to_9999" CHECK (least("claimed_at", "next_attempt_at", "created_at") >= timestamptz '0001-01-01Z' and greatest("claimed_at", "next_attempt_at", "created_at") < timestamptz '10000-01-01Z'),
	CONSTRAINT "webhook_delivery_enum_values" CHECK ("scope" in ('store/customer/created', 'store/customer/updated', 'store/customer/erased', 'store/product/created', 'store/product/updated', 'store/product/deleted', 'store/stock/created', 'store/stock/updated', 'store/stock/held', 'store/stock/released') and "state" in ('PENDING', 'DELIVERED', 'FAILED'))
);--> statement-breakpoint
CREATE TABLE "webhook_record" (
	"merchant_id" uuid NOT NULL,
	"authorized_app_id" uuid NOT NULL,
	"record_id" uuid NOT NULL,
	"sequence" integer NOT NULL,
	"transaction_id" "xid8" NOT NULL,
	"transaction_began_at" timestamp with time zone NOT NULL,
	"action" text NOT NULL,
	"listens" integer NOT NULL,
	"is_counted" boolean NOT NULL,
	"delivery_id" uuid NOT NULL,
	CONSTRAINT "webhook_record_merchant_id_authorized_app_id_record_id_pk" PRIMARY KEY("merchant_id","authorized_app_id","record_id"),
	CONSTRAINT "webhook_record_years_1_to_9999" CHECK (least("transaction_began_at") >= timestamptz '0001-01-01Z' and greatest("transaction_began_at") < timestamptz '10000-01-01Z'),
	CONSTRAINT "webhook_record_enum_values" CHECK ("action" in ('created', 'updated', 'deleted', 'restored', 'erased', 'held', 'released'))
);
