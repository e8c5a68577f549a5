-- A row is written three times within seconds and then rests: room on its page keeps the later versions beside the first.
alter table webhook_delivery set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);--> statement-breakpoint
-- Empty whenever no transaction is under way, so a crash can take nothing from it.
alter table webhook_change set unlogged;--> statement-breakpoint
-- Every table is a merchant's. A table that others refer to is distributed before them.
do $$
declare
  tenant_tables regclass[];
  tenant_table regclass;
begin
  with recursive level(id, depth) as (
    select c.oid, 0 from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    union
    select key.conrelid, level.depth + 1
    from level join pg_constraint key on key.confrelid = level.id and key.contype = 'f' and key.conrelid <> key.confrelid
  )
  select array_agg(deepest.id order by deepest.id <> 'merchant'::regclass, deepest.depth) into tenant_tables
  from (select level.id, max(level.depth) as depth from level group by level.id) deepest;
  foreach tenant_table in array tenant_tables loop
    perform distribute(tenant_table);
  end loop;
end $$;
