set local citus.multi_shard_modify_mode = 'sequential';--> statement-breakpoint
CREATE TABLE "idempotency_usage" (
	"merchant_id" uuid NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "idempotency_usage_merchant_id_expires_at_pk" PRIMARY KEY("merchant_id","expires_at")
);
--> statement-breakpoint
select distribute('idempotency_usage');--> statement-breakpoint
-- Answers that are kept from before count as well.
insert into idempotency_usage (merchant_id, expires_at, bytes)
select k.merchant_id, date_trunc('hour', k.expires_at) + interval '1 hour', sum(coalesce(octet_length(k.answer), 0) + 512)
from idempotency_key k where k.expires_at > now() group by 1, 2;--> statement-breakpoint
CREATE INDEX "idempotency_usage_expiry" ON "idempotency_usage" USING btree ("expires_at","merchant_id");