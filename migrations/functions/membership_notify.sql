-- Notifies the worker that products or categories are queued. Only changes of merchants with automated categories queue
-- any. PostgreSQL sends equal notifications of one transaction once.
create or replace function membership_notify() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp set jit = off
  as $$
    begin
      perform pg_notify('category_membership', '');
      return null;
    end
  $$;--> statement-breakpoint

-- The triggers are not created on a cluster: a notification of a node does not reach the worker, which polls instead.
do $$
declare
  pending_table text;
begin
  if not has_citus() then
    foreach pending_table in array '{membership_pending_product,membership_pending_category}'::text[] loop
      execute format($definition$
        create or replace trigger membership_notify after insert on %1$I
          for each statement execute function membership_notify()
      $definition$, pending_table);
    end loop;
  end if;
end $$;
