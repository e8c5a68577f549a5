-- Notifies the worker of products and categories that are pending. Only transactions of merchants with automated
-- categories insert such rows. Equal notifications of one transaction are sent once.
create or replace function membership_notify() returns trigger
  language plpgsql
  as $$
    begin
      perform pg_notify('category_membership', '');
      return null;
    end
  $$;--> statement-breakpoint

-- Not with Citus: a node's notification does not reach the worker, which polls there.
do $$
declare
  pending_table text;
begin
  if not has_citus() then
    foreach pending_table in array '{membership_pending_product,membership_pending_category}'::text[] loop
      execute format($definition$
        create or replace trigger membership_notify after insert on %1$I for each statement execute function membership_notify()
      $definition$, pending_table);
    end loop;
  end if;
end $$;
