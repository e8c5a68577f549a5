-- The privileges that the role of CROSS_MERCHANT_DATABASE_URL lacks in this database. It reads the tables that the
-- statements of CROSS_MERCHANT_STATEMENTS (src/db/connection/across-merchants.ts) name, and writes nothing.
create or replace function missing_cross_merchant_privileges(reader name) returns table (privilege text, object text)
language sql stable set search_path = pg_catalog, pg_temp as $$
  with role as (
    select r.oid from pg_roles r where r.rolname = reader
  )
  select 'usage', 'schema public' from role where not has_schema_privilege(role.oid, 'public', 'usage')
  union all
  select 'select', format('table %s', readable)
  from role, unnest('{public.authorized_app,public.bulk_operation_image,public.client_operation,
    public.erasure,public.idempotency_key,public.idempotency_usage,public.membership_pending_category,
    public.membership_pending_product,
    public.membership_recheck,public.merchant,public.product,public.product_search_pending,public.revert_run,
    public.schema_usage,public.stock_hold,public.stock_key,
    public.webhook,public.webhook_attempt_count,public.webhook_delivery}'::regclass[]) as readable
  where not has_table_privilege(role.oid, readable, 'select')
$$;--> statement-breakpoint
revoke execute on function missing_cross_merchant_privileges from public;
