-- A row is written three times within seconds and then rests: room on its page keeps the later versions beside the first.
alter table webhook_delivery set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);--> statement-breakpoint
-- Room for a price or picture that changes: a version on the same page needs no entry in any index.
alter table variant set (fillfactor = 70);--> statement-breakpoint
-- Empty whenever no transaction is under way, so a crash can take nothing from it.
alter table webhook_change set unlogged;--> statement-breakpoint
-- Every table is a merchant's. Before indexes: to distribute an index that calls a function of ours ends in a deadlock of Citus
-- with itself, unless the owner is a superuser. Before foreign keys: a table can refer to a distributed one only if it is one.
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
