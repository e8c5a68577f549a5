-- What two versions of a row must differ in for an event. In JSON columns, a member that is null equals a member that
-- is absent: one in place of the other is no change. A column of type json can have escapes that jsonb refuses: \u0000
-- and half of a surrogate pair. Such a row is compared as text.
create or replace function comparable_row(version anyelement) returns jsonb
language plpgsql stable as $$
begin
  return jsonb_strip_nulls(to_jsonb(version)) - '{updated_at,version}'::text[];
exception when data_exception then
  return to_jsonb(regexp_replace(to_json(version)::text, '"(updated_at|version)":[^,}]*', '', 'g'));
end $$;
