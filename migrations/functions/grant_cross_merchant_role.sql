-- Grants the role of CROSS_MERCHANT_DATABASE_URL what it lacks. The owner of the tables calls it after each migration.
create or replace function grant_cross_merchant_role(reader name) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  missing record;
begin
  for missing in select * from missing_cross_merchant_privileges(reader) loop
    execute format('grant %s on %s to %I', missing.privilege, missing.object, reader);
  end loop;
end $$;--> statement-breakpoint
revoke execute on function grant_cross_merchant_role from public;
