-- Writes what one statement changed in records. The values of a record are left out if one of them has more than 256
-- KiB, or is JSON that PostgreSQL stores and does not read, such as half a surrogate pair; and if the history is full.
-- `is_unusual`: whether that is possible.
create or replace function write_change_parts(
  merchant uuid, transaction_key uuid, is_full boolean, is_unusual boolean, part text, ids uuid[], types text[],
  row_changes text[], befores text[], afters text[])
returns boolean language plpgsql as $$
#variable_conflict use_variable
declare
  bytes_max constant integer := 262144;
  statement_number integer;
  setting text;
  truncated boolean[];
begin
  if is_full then
    truncated := array_fill(true, array[cardinality(ids)]);
  elsif is_unusual then
    truncated := array(
      select not are_recordable(part, r.before, r.after, bytes_max)
      from unnest(befores, afters) with ordinality as r(before, after, place)
      order by r.place);
  end if;
  -- A setting of this transaction, on the node with the rows: an update of change_transaction takes as long as the insert.
  statement_number := coalesce(nullif(current_setting('commerce.change_statement', true), ''), '0')::integer + 1;
  setting := set_config('commerce.change_statement', statement_number::text, true);
  insert into change_part
    (merchant_id, change_transaction_id, record_id, record_type, statement, part, row_change, before, after, truncated)
  select merchant, transaction_key, r.id, r.type, statement_number, part, r.row_change,
    case when r.truncated is not true then r.before::json end,
    case when r.truncated is not true then r.after::json end,
    r.truncated is true
  from unnest(ids, types, row_changes, befores, afters, truncated) as
    r(id, type, row_change, before, after, truncated);
  return false;
end $$;
