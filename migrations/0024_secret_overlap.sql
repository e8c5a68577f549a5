set local citus.multi_shard_modify_mode = 'sequential';--> statement-breakpoint
ALTER TABLE "authorized_app" ADD COLUMN "former_secret_encrypted" text;--> statement-breakpoint
ALTER TABLE "authorized_app" ADD COLUMN "former_secret_until" timestamp(3) with time zone;
