-- Writes what one statement changed in records. The values of a record are left out if one of them has more than 256
-- KiB, or is JSON that PostgreSQL stores and does not read, such as half a surrogate pair; and if the history is full.
create or replace function write_change_parts(
  merchant uuid, transaction_key uuid, statement_number integer, is_full boolean, part text, ids uuid[], types text[],
  row_changes text[], befores text[], afters text[])
returns void language plpgsql set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_variable
declare
  bytes_max constant integer := 262144;
  truncated boolean[];
begin
  if is_full then
    truncated := array_fill(true, array[cardinality(ids)]);
  elsif exists (
    select from unnest(befores || afters) members
    where octet_length(members) > bytes_max or strpos(members, '\u') > 0)
  then
    truncated := array(
      select not are_recordable(part, r.before, r.after, bytes_max)
      from unnest(befores, afters) with ordinality as r(before, after, place)
      order by r.place);
  end if;
  insert into change_part
    (merchant_id, change_transaction_id, record_id, record_type, statement, part, row_change, before, after, truncated)
  select merchant, transaction_key, r.id, r.type, statement_number, part, r.row_change,
    case when r.truncated is not true then r.before::json end,
    case when r.truncated is not true then r.after::json end,
    r.truncated is true
  from unnest(ids, types, row_changes, befores, afters, truncated) as
    r(id, type, row_change, before, after, truncated);
end $$;
