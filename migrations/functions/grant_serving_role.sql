-- The owner calls it after each migration. It also revokes two privileges of PUBLIC, so that the serving role cannot
-- create objects: temporary tables, and tables in `public` in databases created before PostgreSQL 15.
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
