-- The privileges that the serving role lacks in this database. Only missing ones are returned, so that granting them
-- again writes nothing to the catalogue.
-- * Rows of all tables, which views only read, and the next value of sequences. Tables of later migrations need no line
-- here.
-- * Functions that run as the owner (SECURITY DEFINER), which PUBLIC may not call, and those that name missing
-- privileges. Trigger functions need no privilege.
-- * For the queue, what pg-boss 12.35 needs with `migrate: false` and `supervise: false`: `start` reads `version` and
-- `queue`; take_webhook_jobs updates four columns; remove_webhook_jobs deletes. queue_webhook_deliveries writes jobs
-- and release_lapsed_webhook_jobs releases them; both run as the owner.
create or replace function missing_privileges(serving name) returns table (privilege text, object text)
language sql stable set search_path = pg_catalog, pg_temp as $$
  with role as (
    select r.oid from pg_roles r where r.rolname = serving
  ), queue_table as (
    select c.oid from pg_class c
    where c.relnamespace = 'pgboss'::regnamespace
      and c.relname = (select q.table_name from pgboss.queue q where q.name = 'webhook-delivery')
  )
  select 'usage', format('schema %I', n.nspname)
  from role, pg_namespace n
  where n.nspname in ('public', 'drizzle', 'pgboss') and not has_schema_privilege(role.oid, n.oid, 'usage')
  union all
  select p.privilege, format('table %s', c.oid::regclass)
  from role, pg_class c, unnest('{select,insert,update,delete}'::text[]) as p(privilege)
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    and c.relowner = (select m.relowner from pg_class m where m.oid = 'public.merchant'::regclass)
    and not has_table_privilege(role.oid, c.oid, p.privilege)
  union all
  select 'select', format('table %s', c.oid::regclass)
  from role, pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'v'
    and c.relowner = (select m.relowner from pg_class m where m.oid = 'public.merchant'::regclass)
    and not has_table_privilege(role.oid, c.oid, 'select')
  union all
  select p.privilege, format('sequence %s', c.oid::regclass)
  from role, pg_class c, unnest('{usage,select}'::text[]) as p(privilege)
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'S'
    and not has_sequence_privilege(role.oid, c.oid, p.privilege)
  union all
  select 'select', format('table %s', readable)
  from role, unnest(
    '{drizzle.__drizzle_migrations,drizzle.applied_function,pgboss.version,pgboss.queue}'::regclass[]) as readable
  where not has_table_privilege(role.oid, readable, 'select')
  union all
  select p.privilege, format('table %s', queue_table.oid::regclass)
  from role, queue_table, unnest('{select,delete}'::text[]) as p(privilege)
  where not has_table_privilege(role.oid, queue_table.oid, p.privilege)
  union all
  select format('update (%I)', claimed), format('table %s', queue_table.oid::regclass)
  from role, queue_table, unnest('{state,started_on,heartbeat_on,retry_count}'::text[]) as claimed
  where not has_column_privilege(role.oid, queue_table.oid, claimed, 'update')
  union all
  select 'execute', format('function %s', f.oid::regprocedure)
  from role, pg_proc f
  where f.pronamespace = 'public'::regnamespace and f.prorettype <> 'trigger'::regtype
    and (f.prosecdef or f.proname in ('missing_privileges', 'missing_cross_merchant_privileges'))
    and not has_function_privilege(role.oid, f.oid, 'execute')
$$;--> statement-breakpoint
revoke execute on function missing_privileges from public;
