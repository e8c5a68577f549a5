-- Writes what one statement changed in records. The values of a record are left out if one of them has more than 256
-- KiB, or is JSON that PostgreSQL stores and does not read, such as half a surrogate pair; and if the history is full.
-- `is_unusual`: whether that is possible. Returns the number of the statement in its transaction.
create or replace function write_change_parts(
  merchant uuid, transaction_key uuid, is_full boolean, is_unusual boolean, part text, ids uuid[], types text[],
  row_changes text[], befores text[], afters text[])
-- After transactions of many records PostgreSQL expects many parts of each, and would read the whole table.
returns integer language plpgsql set enable_seqscan = off as $$
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
  -- The number is kept in a setting of the transaction, on the node with the rows. In change_transaction it would need
  -- an update, which takes as long as the insert below. After RESET ALL the number is read from the parts.
  setting := current_setting('commerce.change_statement', true);
  if setting ~ '^[0-9]{1,9}$' then
    statement_number := setting::integer + 1;
  else
    select coalesce(max(p.statement), 0) + 1 into statement_number
    from change_part p where p.merchant_id = merchant and p.change_transaction_id = transaction_key;
  end if;
  setting := set_config('commerce.change_statement', statement_number::text, true);
  insert into change_part
    (merchant_id, change_transaction_id, record_id, record_type, statement, part, row_change, before, after, truncated)
  select merchant, transaction_key, r.id, r.type, statement_number, part, r.row_change,
    case when r.truncated is not true then r.before::json end,
    case when r.truncated is not true then r.after::json end,
    r.truncated is true
  from unnest(ids, types, row_changes, befores, afters, truncated) as
    r(id, type, row_change, before, after, truncated);
  return statement_number;
end $$;
