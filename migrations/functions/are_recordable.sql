-- Whether each member can be read again and has at most `bytes_max`.
create or replace function are_recordable(part text, before text, after text, bytes_max integer) returns boolean
language plpgsql immutable set search_path = pg_catalog, public, pg_temp as $$
begin
  -- jsonb has only texts that PostgreSQL can store; json is checked when it is read.
  perform before::jsonb, after::jsonb;
  return not exists (
    select from part_members(part, before::json, after::json) m
    where octet_length(m.before) > bytes_max or octet_length(m.after) > bytes_max);
exception when data_exception then
  return false;
end $$;
