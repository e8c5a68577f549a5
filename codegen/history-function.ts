import { getTableColumns, getTableName } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { filledByTrigger } from '../drizzle/columns.ts';
import { filePlugin } from './file-plugin.ts';
import { indented } from './event-value.ts';
import { type Recorded, RECORDED } from './recorded-tables.ts';
import { changeMember } from '../src/change/record-parts.ts';

/** They name the record, or are derived. */
const NO_MEMBERS = ['merchantId', 'id', ...filledByTrigger];
/** They are recorded for reads of earlier states, and part_members.sql does not list them. */
const STAMPS = ['updatedAt', 'version'];

/** The tables by the names of their functions. */
const FUNCTIONS = new Map(RECORDED.map((recorded) => [`${getTableName(recorded.table)}_history`, recorded]));

export const historyFunctions: readonly string[] = [...FUNCTIONS.keys()];

/** A graphql-codegen plugin: writes the function and the triggers that record the changes of a table. */
export const plugin = filePlugin('.sql', (name) => historyFunction(name, FUNCTIONS.get(name)!));

function historyFunction(name: string, recorded: Recorded): string {
  const table = getTableName(recorded.table);
  const members = recordedMembers(recorded);
  return `-- Written by \`npm run codegen\` from drizzle/. Do not edit.
-- Records what a statement changes in ${table}: the members before and after it, by their names in the SDL.
create or replace function ${name}() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  merchants uuid[];
  merchant uuid;
  transaction_key uuid;
  statement_number integer;
  is_full boolean;
  ids uuid[];
  types text[];
  row_changes text[];
  befores text[];
  afters text[];
begin
${onlyMoved(recorded)}  if tg_op = 'DELETE' then
    merchants := array(select distinct o.merchant_id from old_rows o);
  else
    merchants := array(select distinct n.merchant_id from new_rows n);
  end if;
  foreach merchant in array merchants loop
    select * from begin_changes(merchant) into transaction_key, statement_number, is_full;
    continue when statement_number is null;
${withheldValues(recorded)}${insertedRows(recorded, members)}    ${recorded.movedBy ? 'if' : 'elsif'} tg_op = 'DELETE' then
${indented(collected(recorded, wholeRows(recorded, members, 'o', 'before')), '      ')}
    else
${HASHED}
${indented(collected(recorded, updatedRows(recorded, members)), '      ')}
      perform set_config('enable_nestloop', 'on', true);
    end if;
    continue when ids is null;
    perform write_change_parts(
      merchant, transaction_key, statement_number, is_full, '${recorded.part ?? ''}', ids, types, row_changes, befores,
      afters);
  end loop;
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

/** The rows of an update, each before and after it. */
const PAIRS = 'new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id';

/** Precedes each statement that joins the rows before and after an update. */
const HASHED = `      -- The plan may be from a statement of few rows. A nested loop would compare 20,000 rows in 400 million pairs.
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
${indented(collected(recorded, wholeRows(recorded, members, 'n', 'after')), '      ')}
`;
}

/** Of a table with movements most updates are only that: they leave nothing to record, and must be cheap. */
function onlyMoved(recorded: Recorded): string {
  if (recorded.movedBy === undefined) return '';
  const others = comparedMembers(recorded, recordedMembers(recorded)).filter(({ name }) => !STAMPS.includes(name));
  return `  if tg_op = 'UPDATE' then
${HASHED.replaceAll('      ', '    ')}
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

/** The members that an update records. */
function comparedMembers({ movedBy }: Recorded, members: readonly Member[]): Member[] {
  return members.filter(({ name }) => name !== movedBy);
}

function withheldValues({ erasedBy }: Recorded): string {
  if (erasedBy === undefined) return '';
  return `    if tg_op = 'UPDATE' then
${HASHED}
      is_full := is_full or exists (
        select from ${PAIRS}
        where n.merchant_id = merchant and n.${erasedBy} is not null and o.${erasedBy} is null);
    end if;
`;
}

type Member = { name: string; column: AnyPgColumn };

function recordedMembers({ table, of, hidden = [] }: Recorded): Member[] {
  const columns = Object.entries(getTableColumns(table) as Record<string, AnyPgColumn>);
  return columns
    .filter(([name, column]) => !NO_MEMBERS.includes(name) && !hidden.includes(name) && column !== of)
    .filter(([, column]) => column.generated === undefined)
    .map(([name, column]) => ({ name: changeMember(name), column }));
}

/** Fills the variables of the function from rows with \`record\`, \`id\`, \`type\`, \`before\` and \`after\`. */
function collected({ part }: Recorded, rows: string): string {
  const object = (side: string): string =>
    part
      ? `'{' || string_agg('"' || r.id || '":{' || r.${side} || '}', ',' order by r.id) || '}'`
      : `'{' || r.${side} || '}'`;
  const source = part
    ? `select r.record, min(r.type) as type,
  case when bool_and(r.row_change = 'STAMPED') then 'STAMPED' else 'UPDATED' end as row_change,
  ${object('before')} as before,
  ${object('after')} as after
from (
${indented(rows)}
) r
group by r.record`
    : `select r.record, r.type, r.row_change, ${object('before')} as before, ${object('after')} as after
from (
${indented(rows)}
) r`;
  return `select array_agg(c.record), array_agg(c.type), array_agg(c.row_change), array_agg(c.before), array_agg(c.after)
into ids, types, row_changes, befores, afters
from (
${indented(source)}
) c;`;
}

/** Selects created or removed rows. */
function wholeRows(recorded: Recorded, members: readonly Member[], row: 'n' | 'o', side: 'before' | 'after'): string {
  return `${wholeRow(recorded, members, row, side)}
from ${row === 'n' ? 'new_rows' : 'old_rows'} ${row} where ${conditions(recorded, row)}`;
}

/** Selects the columns of a created or removed row: all its members that have a value. */
function wholeRow(recorded: Recorded, members: readonly Member[], row: 'n' | 'o', side: 'before' | 'after'): string {
  const values = members.map(({ name, column }) => {
    const value = `${row}.${column.name}`;
    const shown = `'"${name}":' || ${textOf(value, column)}`;
    if (column.getSQLType().endsWith('[]')) return `case when ${value} <> '{}' then ${shown} end`;
    // A value that is null makes the text null, which concat_ws leaves out.
    return shown;
  });
  const other = side === 'before' ? 'after' : 'before';
  const rowChange = row === 'n' ? 'INSERTED' : 'REMOVED';
  return `select ${selected(recorded, row)}, '${recorded.part ? 'UPDATED' : rowChange}' as row_change, null::text as ${other}, concat_ws(',',
${indented(values.join(',\n'))}
) as ${side}`;
}

/**
 * Selects updated rows. Of a part that stays in its record the members that differ are recorded; a part that moves to
 * another record is removed from the one and created in the other.
 */
function updatedRows(recorded: Recorded, members: readonly Member[]): string {
  if (recorded.of === undefined) return changedRows(recorded, members, conditions(recorded, 'n'));
  // Three joins, because one lateral join could only be executed as a nested loop.
  return `${changedRows(recorded, members, `${conditions(recorded, 'n')} and ${stays(recorded)}`)}
union all
${movedRows(recorded, members, 'o')}
union all
${movedRows(recorded, members, 'n')}`;
}

/** Selects the parts that move: `o` as they were in their former record, `n` as they are in the other one. */
function movedRows(recorded: Recorded, members: readonly Member[], row: 'n' | 'o'): string {
  return `select m.record, m.id, m.type, m.row_change, m.before, m.after
from (
${indented(wholeRow(recorded, members, row, row === 'o' ? 'before' : 'after'))}
  from ${PAIRS}
  where ${conditions(recorded, row)} and not (${stays(recorded)})
) m`;
}

function stays({ of, typeColumn }: Recorded): string {
  return [of!, ...(typeColumn ? [typeColumn] : [])].map(({ name }) => `o.${name} = n.${name}`).join(' and ');
}

/** Updated rows, with the members that differ. If these are only stamps, the row is marked. */
function changedRows(recorded: Recorded, members: readonly Member[], condition: string): string {
  const differing = (row: 'n' | 'o', isStamp: boolean): string => {
    const values = comparedMembers(recorded, members)
      .filter(({ name }) => STAMPS.includes(name) === isStamp)
      .map(({ name, column }) => {
        const text = textOf(`${row}.${column.name}`, column);
        const value = column.notNull ? text : `coalesce(${text}, 'null')`;
        return `case when ${differs(column)} then '"${name}":' || ${value} end`;
      });
    return `nullif(concat_ws(',',\n${indented(values.join(',\n'))}\n), '')`;
  };
  const columns = `${selected(recorded, 'n')},
${updated(recorded)} as row_change,
${differing('o', false)} as before,
${differing('n', false)} as after,
${differing('o', true)} as former_stamps,
${differing('n', true)} as stamps`;
  return `select d.record, d.id, d.type, case when d.before is null then 'STAMPED' else d.row_change end as row_change,
  concat_ws(',', d.before, d.former_stamps) as before, concat_ws(',', d.after, d.stamps) as after
from (
  select
${indented(columns, '    ')}
  from ${PAIRS}
  where ${condition}
) d
where d.before is not null or d.stamps is not null`;
}

function updated({ table, part }: Recorded): string {
  if (part || !('deleted' in getTableColumns(table))) return `'UPDATED'`;
  return `case when n.deleted = o.deleted then 'UPDATED' when n.deleted then 'DELETED' else 'RESTORED' end`;
}

function selected({ of, type, typeColumn }: Recorded, row: string): string {
  const record = `${row}.${of?.name ?? 'id'} as record`;
  const value =
    typeof type === 'string'
      ? `'${type}'`
      : `case ${row}.${typeColumn!.name} ${Object.entries(type)
          .map(([stored, shown]) => `when '${stored}' then '${shown}'`)
          .join(' ')} end`;
  return `${record}, ${row}.id, ${value} as type`;
}

function conditions({ type, typeColumn }: Recorded, row: string): string {
  const own = `${row}.merchant_id = merchant`;
  if (typeof type === 'string') return own;
  const stored = Object.keys(type).map((name) => `'${name}'`);
  return `${own} and ${row}.${typeColumn!.name} in (${stored.join(', ')})`;
}

function differs(column: AnyPgColumn): string {
  const cast = column.getSQLType() === 'json' ? '::text' : '';
  const [before, after] = [`o.${column.name}${cast}`, `n.${column.name}${cast}`];
  return column.notNull ? `${before} <> ${after}` : `${before} is distinct from ${after}`;
}

/** The JSON text of a value as the SDL's type has it. */
function textOf(value: string, column: AnyPgColumn): string {
  const type = column.getSQLType();
  if (type.endsWith('[]')) return `to_json(${value})::text`;
  if (type === 'uuid') return `'"' || ${value} || '"'`;
  if (type === 'json' || type === 'boolean' || type === 'integer') return `${value}::text`;
  if (type.startsWith('numeric')) return `trim_scale(${value})::text`;
  if (type.startsWith('timestamp')) return `(extract(epoch from ${value}) * 1000)::bigint::text`;
  if (type === 'text') return `to_json(${value})::text`;
  throw new Error(`A change cannot show the type ${type} of ${column.name}.`);
}
