-- To be called by the owner after each migration. Without the right of PUBLIC to make temporary tables, and
-- in databases that were made before PostgreSQL 15 tables in `public`, the role can make no object at all.
create or replace function grant_serving_role(serving name) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  missing record;
begin
  for missing in select * from missing_privileges(serving) loop
    execute format('grant %s on %s to %I', missing.privilege, missing.object, serving);
  end loop;
  if has_database_privilege(serving, current_database(), 'temporary') then
    execute format('revoke create, temporary on database %I from public', current_database());
  end if;
  if has_schema_privilege(serving, 'public', 'create') then
    revoke create on schema public from public;
  end if;
end $$;--> statement-breakpoint
revoke execute on function grant_serving_role from public;
