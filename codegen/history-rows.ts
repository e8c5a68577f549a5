import { getTableColumns } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { filledByTrigger } from '../drizzle/columns.ts';
import { changeMember } from '../src/change/record-parts.ts';
import { indented } from './event-value.ts';
import type { Recorded } from './recorded-tables.ts';

/** They name the record, or are derived. */
const NO_MEMBERS = ['merchantId', 'id', ...filledByTrigger];
/** They are recorded for reads of earlier states, and part_members.sql does not list them. */
export const STAMPS = ['updatedAt', 'version'];

/** The rows of an update, each before and after it. */
export const PAIRS = 'new_rows n join old_rows o on o.merchant_id = n.merchant_id and o.id = n.id';

export type Member = { name: string; column: AnyPgColumn };

export function recordedMembers({ table, of, hidden = [] }: Recorded): Member[] {
  const columns = Object.entries(getTableColumns(table) as Record<string, AnyPgColumn>);
  return columns
    .filter(([name, column]) => !NO_MEMBERS.includes(name) && !hidden.includes(name) && column !== of)
    .filter(([, column]) => column.generated === undefined)
    .map(([name, column]) => ({ name: changeMember(name), column }));
}

/** The members whose values are compared when a row is updated; the movements record the others. */
export function comparedMembers({ movedBy }: Recorded, members: readonly Member[]): Member[] {
  return members.filter(({ name }) => name !== movedBy);
}

/** Selects created or removed rows. */
export function wholeRows(
  recorded: Recorded,
  members: readonly Member[],
  row: 'n' | 'o',
  side: 'before' | 'after',
): string {
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
  const isMoved = recorded.part ? 'false as is_moved, ' : '';
  return `select ${selected(recorded, row)}, '${recorded.part ? 'UPDATED' : rowChange}' as row_change, ${isMoved}null::text as ${other}, concat_ws(',',
${indented(values.join(',\n'))}
) as ${side}`;
}

/**
 * Selects updated rows, with the members that differ. If these are only stamps, the row is marked. Of parts it selects
 * those that stay in their record, and marks those that move to another one, which `movedRows` selects.
 */
export function changedRows(recorded: Recorded, members: readonly Member[]): string {
  if (recorded.of === undefined) return differingRows(recorded, members, conditions(recorded, 'n'));
  return differingRows(recorded, members, conditions(recorded, 'n', 'o'), true);
}

/** A part that moves to another record is removed from the one and created in the other, as by another statement. */
export function movedRows(recorded: Recorded, members: readonly Member[]): string {
  // Two joins, because one lateral join could only be executed as a nested loop.
  return `${moved(recorded, members, 'o')}
union all
${moved(recorded, members, 'n')}`;
}

/** Selects the parts that move: `o` as they were in their former record, `n` as they are in the other one. */
function moved(recorded: Recorded, members: readonly Member[], row: 'n' | 'o'): string {
  return `select m.record, m.id, m.type, m.row_change, m.is_moved, m.before, m.after
from (
${indented(wholeRow(recorded, members, row, row === 'o' ? 'before' : 'after'))}
  from ${PAIRS}
  where ${conditions(recorded, row)} and not (${stays(recorded)})
) m`;
}

function stays({ of, typeColumn }: Recorded): string {
  return [of!, ...(typeColumn ? [typeColumn] : [])].map(({ name }) => `o.${name} = n.${name}`).join(' and ');
}

function differingRows(recorded: Recorded, members: readonly Member[], condition: string, findsMoves = false): string {
  const compared = comparedMembers(recorded, members);
  const differing = (row: 'n' | 'o', isStamp: boolean): string => {
    const values = compared
      .filter(({ name }) => STAMPS.includes(name) === isStamp)
      .map(({ name, column }) => {
        const text = textOf(`e.${row}_${column.name}`, column);
        const value = column.notNull ? text : `coalesce(${text}, 'null')`;
        return `case when e.${column.name}_differs then '"${name}":' || ${value} end`;
      });
    return `nullif(concat_ws(',',\n${indented(values.join(',\n'))}\n), '')`;
  };
  const pairs = compared.map(({ column }) => {
    const { name } = column;
    return `o.${name} as o_${name}, n.${name} as n_${name}, ${differs(column)} as ${name}_differs`;
  });
  const isMoved = findsMoves ? [`not (${stays(recorded)}) as is_moved`] : [];
  const columns = [selected(recorded, 'n'), `${updated(recorded)} as row_change`, ...isMoved, ...pairs].join(',\n');
  const shown = findsMoves ? ', e.is_moved' : '';
  const values = (side: string, stamps: string): string =>
    `${findsMoves ? 'case when not d.is_moved then ' : ''}concat_ws(',', d.${side}, d.${stamps})${findsMoves ? ' end' : ''} as ${side}`;
  // Without OFFSET PostgreSQL would merge the subqueries, and compute their columns again for each use.
  return `select d.record, d.id, d.type, case when d.before is null then 'STAMPED' else d.row_change end as row_change,
  ${values('before', 'former_stamps')}, ${values('after', 'stamps')}${shown.replace('e.', 'd.')}
from (
  select e.record, e.id, e.type, e.row_change${shown},
    ${indented(differing('o', false), '    ').trimStart()} as before,
    ${indented(differing('n', false), '    ').trimStart()} as after,
    ${indented(differing('o', true), '    ').trimStart()} as former_stamps,
    ${indented(differing('n', true), '    ').trimStart()} as stamps
  from (
    select
${indented(columns, '      ')}
    from ${PAIRS}
    where ${condition}
    offset 0
  ) e
  offset 0
) d
where d.before is not null or d.stamps is not null${findsMoves ? ' or d.is_moved' : ''}`;
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

/**
 * The merchant's rows of types with a history. With `n` and `o` an updated row needs such a type before or after the
 * update.
 */
function conditions({ type, typeColumn }: Recorded, ...rows: ('n' | 'o')[]): string {
  const own = `${rows[0]}.merchant_id = merchant`;
  if (typeof type === 'string') return own;
  const stored = Object.keys(type).map((name) => `'${name}'`);
  const kept = rows.map((row) => `${row}.${typeColumn!.name} in (${stored.join(', ')})`).join(' or ');
  return `${own} and ${rows.length > 1 ? `(${kept})` : kept}`;
}

export function differs(column: AnyPgColumn): string {
  const isJson = column.getSQLType() === 'json';
  const [before, after] = ['o', 'n'].map((row) => `${row}.${column.name}${isJson ? '::text' : ''}`);
  const differ = column.notNull ? `${before} <> ${after}` : `${before} is distinct from ${after}`;
  return isJson ? `(${differ} and json_differs(${before}, ${after}))` : differ;
}

/** The JSON text of a value as the SDL's type has it. */
function textOf(value: string, column: AnyPgColumn): string {
  const type = column.getSQLType();
  if (type.endsWith('[]')) return `to_json(${value})::text`;
  if (type === 'uuid') return `'"' || ${value} || '"'`;
  if (type === 'json' || type === 'boolean' || type === 'integer') return `${value}::text`;
  if (type.startsWith('numeric')) return `trim_scale(${value})::text`;
  // Of float8, which takes less time than numeric. The cast rounds, and milliseconds are exact in it.
  if (type.startsWith('timestamp')) return `(date_part('epoch', ${value}) * 1000)::bigint::text`;
  if (type === 'text') return `to_json(${value})::text`;
  throw new Error(`A change cannot show the type ${type} of ${column.name}.`);
}
