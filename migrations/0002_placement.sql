-- A row is written three times within seconds. Free space on its page allows HOT updates.
alter table webhook_delivery set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);--> statement-breakpoint
-- A row is written with each settlement within its hour.
alter table webhook_attempt_count set (fillfactor = 50);--> statement-breakpoint
-- Each write of counts updates the rows of the day. Free space on their page allows HOT updates.
alter table schema_usage set (fillfactor = 70);--> statement-breakpoint
-- Free space for changed prices and images: a HOT update writes no index entry.
alter table variant set (fillfactor = 70);--> statement-breakpoint
-- A row is updated with each change of its record.
alter table changed_record set (fillfactor = 80);--> statement-breakpoint
-- Three settings differ on a cluster. New deliveries are marked as not queued there: a trigger on a shard cannot reach the
-- queue, so the relay of the worker adds the job of each delivery and then marks it as queued. Elsewhere the tables
-- webhook_change and change_transaction are unlogged, which makes writes cheaper and loses nothing in a crash, since they
-- are empty between transactions. On a cluster they have to be logged, because shards are moved by logical replication, which refuses
-- unlogged tables.
do $$
begin
  if has_citus() then
    alter table webhook_delivery alter column is_queued set default false;
  else
    alter table webhook_change set unlogged;
    alter table change_transaction set unlogged;
  end if;
end $$;--> statement-breakpoint
-- Distributes all tables, before indexes and foreign keys exist. Distributing an index that calls one of our functions
-- makes Citus deadlock with itself, unless the owner is a superuser. Only a distributed table can refer to a
-- distributed one.
do $$
declare
  tenant_table regclass;
begin
  foreach tenant_table in array array(
    select c.oid from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname <> 'merchant', c.relname)
  loop
    perform distribute(tenant_table);
  end loop;
end $$;
