import { readFileSync } from 'node:fs';
import { getTableName } from 'drizzle-orm';
import { filePlugin } from './file-plugin.ts';
import { indented } from './event-value.ts';
import { type Recorded, RECORDED } from './recorded-tables.ts';
import {
  changedRows,
  comparedMembers,
  differs,
  type Member,
  movedRows,
  PAIRS,
  recordedMembers,
  STAMPS,
  wholeRows,
} from './history-rows.ts';

const RECORDING = new URL('../migrations/functions/write_change_parts.sql', import.meta.url);
/** The longest value that is recorded, in bytes. `write_change_parts` has it, and checks records with longer texts value by value. */
const MAX_VALUE_BYTES = Number(/bytes_max constant integer := (\d+)/.exec(readFileSync(RECORDING, 'utf8'))![1]);

/** The tables by the names of their functions. */
const FUNCTIONS = new Map(RECORDED.map((recorded) => [`${getTableName(recorded.table)}_history`, recorded]));

export const historyFunctions: readonly string[] = [...FUNCTIONS.keys()];

/** A graphql-codegen plugin: writes the function and the triggers that record the changes of a table. */
export const plugin = filePlugin('.sql', (name) => historyFunction(name, FUNCTIONS.get(name)!));

function historyFunction(name: string, recorded: Recorded): string {
  const table = getTableName(recorded.table);
  const members = recordedMembers(recorded);
  return `-- Written by \`npm run codegen\` from drizzle/. Do not edit.
-- Records the members, named as in the SDL, before and after each statement that changes ${table}.
-- Sequential scans are off; \`begin_stock_movements\` says why.
create or replace function ${name}() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set jit = off
  set enable_seqscan = off as $$
declare
  merchants uuid[];
  merchant uuid;
  transaction_key uuid;
  is_kept boolean;
  is_full boolean;
  ids uuid[];
  types text[];
  row_changes text[];
  befores text[];
  afters text[];
  is_unusual boolean;
  statement_number integer;
  bytes_at_once constant integer := 16777216;
  changes refcursor;
  change record;
  bytes bigint;
${recorded.of ? '  has_moved boolean;\n' : ''}begin
${onlyMoved(recorded)}  if tg_op = 'DELETE' then
    merchants := array(select distinct o.merchant_id from old_rows o);
  else
    merchants := array(select distinct n.merchant_id from new_rows n);
  end if;
  foreach merchant in array merchants loop
    select t.id, t.is_kept, t.is_full into transaction_key, is_kept, is_full from change_transaction t
    where t.merchant_id = merchant and t.transaction_id = pg_current_xact_id();
    if not found then
      continue when not keeps_history(merchant);
      select * into transaction_key, is_kept, is_full from begin_changes(merchant);
    end if;
    continue when not is_kept;
${withheldValues(recorded)}${insertedRows(recorded, members)}    ${recorded.movedBy ? 'if' : 'elsif'} tg_op = 'DELETE' then
${indented(opened(recorded, wholeRows(recorded, members, 'o', 'before')), '      ')}
    else
${indented(HASHED, '      ')}
${indented(opened(recorded, changedRows(recorded, members)), '      ')}
      perform set_config('enable_nestloop', 'on', true);
    end if;
${written(recorded)}${movedParts(recorded, members)}  end loop;
  return null;
end $$;--> statement-breakpoint
-- Triggers fire in the order of their names: these before those of events, which may contain what was recorded.
${insertTrigger(recorded, name)}create or replace trigger change_updated after update on ${table}
  referencing old table as old_rows new table as new_rows
  for each statement execute function ${name}();--> statement-breakpoint
create or replace trigger change_deleted after delete on ${table} referencing old table as old_rows
  for each statement execute function ${name}();
`;
}

/** Precedes each statement that joins the rows before and after an update. */
const HASHED = `-- The plan may be from a statement of few rows. A nested loop would compare 20,000 rows in 400 million pairs.
perform set_config('enable_nestloop', 'off', true);`;

function insertTrigger({ table, movedBy }: Recorded, name: string): string {
  if (movedBy !== undefined) return '';
  return `create or replace trigger change_inserted after insert on ${getTableName(table)} referencing new table as new_rows
  for each statement execute function ${name}();--> statement-breakpoint
`;
}

function insertedRows(recorded: Recorded, members: readonly Member[]): string {
  if (recorded.movedBy !== undefined) return '';
  return `    if tg_op = 'INSERT' then
${indented(opened(recorded, wholeRows(recorded, members, 'n', 'after')), '      ')}
`;
}

/** Of a table with movements most updates are only that: they leave nothing to record, and must be cheap. */
function onlyMoved(recorded: Recorded): string {
  if (recorded.movedBy === undefined) return '';
  const others = comparedMembers(recorded, recordedMembers(recorded)).filter(({ name }) => !STAMPS.includes(name));
  return `  if tg_op = 'UPDATE' then
${indented(HASHED, '    ')}
    if not exists (
      select from ${PAIRS}
      where ${others.map(({ column }) => differs(column)).join('\n        or ')})
    then
      perform set_config('enable_nestloop', 'on', true);
      return null;
    end if;
    perform set_config('enable_nestloop', 'on', true);
  end if;
`;
}

function withheldValues({ erasedBy }: Recorded): string {
  if (erasedBy === undefined) return '';
  return `    if tg_op = 'UPDATE' then
${indented(HASHED, '      ')}
      is_full := is_full or exists (
        select from ${PAIRS}
        where n.merchant_id = merchant and n.${erasedBy} is not null and o.${erasedBy} is null);
    end if;
`;
}

/** Rows that move between records are rare, and recording them takes two more joins. */
function movedParts(recorded: Recorded, members: readonly Member[]): string {
  if (recorded.of === undefined) return '';
  return `    continue when not has_moved;
${indented(HASHED, '    ')}
${indented(opened(recorded, movedRows(recorded, members)), '    ')}
    perform set_config('enable_nestloop', 'on', true);
${written(recorded)}`;
}

/** Opens a cursor over rows with \`record\`, \`id\`, \`type\`, \`before\` and \`after\`, one for each record. */
function opened({ part }: Recorded, rows: string): string {
  const object = (side: string): string =>
    part
      ? `'{' || string_agg('"' || r.id || '":{' || r.${side} || '}', ',' order by r.id) || '}'`
      : `'{' || r.${side} || '}'`;
  const source = part
    ? `select r.record, min(r.type) as type,
  case when bool_and(r.row_change = 'STAMPED') then 'STAMPED' else 'UPDATED' end as row_change,
  ${object('before')} as before,
  ${object('after')} as after, bool_or(r.is_moved) as is_moved
from (
${indented(rows)}
) r
group by r.record`
    : `select r.record, r.type, r.row_change, ${object('before')} as before, ${object('after')} as after
from (
${indented(rows)}
) r
offset 0`;
  return `open changes for
  select c.*, ${isUnusual('c.before')} or ${isUnusual('c.after')} as is_unusual,
    coalesce(octet_length(c.before), 0) + coalesce(octet_length(c.after), 0) as bytes
  from (
${indented(source, '    ')}
  ) c;`;
}

/** Writes the rows of the cursor in batches: an array has at most 1 GiB, and the rows of one statement can be larger. */
function written({ of, part }: Recorded): string {
  const moves = `
        has_moved := has_moved or change.is_moved;
        continue when num_nonnulls(change.before, change.after) = 0;`;
  return `${of ? '    has_moved := false;\n' : ''}    loop
      ids := '{}';
      types := '{}';
      row_changes := '{}';
      befores := '{}';
      afters := '{}';
      is_unusual := false;
      bytes := 0;
      loop
        fetch changes into change;
        exit when not found;${of ? moves : ''}
        ids := ids || change.record;
        types := types || change.type;
        row_changes := row_changes || change.row_change;
        befores := befores || change.before;
        afters := afters || change.after;
        is_unusual := is_unusual or change.is_unusual;
        bytes := bytes + change.bytes;
        exit when bytes > bytes_at_once;
      end loop;
      exit when ids = '{}';
      -- The assignment only calls the function: PERFORM would run a query to call it.
      statement_number := write_change_parts(
        merchant, transaction_key, is_full, is_unusual, '${part ?? ''}', ids, types, row_changes, befores, afters);
      exit when bytes <= bytes_at_once;
    end loop;
    close changes;
`;
}

/** Whether values may be too large to be recorded, or unreadable. Null of no values. */
function isUnusual(values: string): string {
  return `octet_length(${values}) > ${MAX_VALUE_BYTES} or strpos(${values}, '\\u') > 0`;
}
