import { type SQL, sql } from 'drizzle-orm';
import type { productAttributeOption } from '../../drizzle/attribute.ts';
import type { variantValue } from '../../drizzle/variant-type.ts';
import type { Context } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { idArray, ownedBy, textArray } from '../db/sql/parameter.ts';
import { columnsOf } from '../db/sql/table-columns.ts';
import type { OptionInput, OptionNames, OptionRow } from './option-list.ts';

const COLUMNS = {
  id: column.text,
  position: column.number,
  name: column.text,
  colorCode: column.nullable(column.text),
  thumbnailImageId: column.nullable(column.text),
  deleted: column.boolean,
};

/** The options of one kind of record. `owner`: the member with the record's id. */
export type OptionKind = OptionNames &
  (
    | { table: typeof variantValue; owner: 'variantTypeId' }
    | { table: typeof productAttributeOption; owner: 'attributeId' }
  );

/**
 * The live options of a record, and the removed ones that the input can restore: those that it names by id, and for each
 * name without an id the ones that were added last, as many as the input has entries with this name. Other removed options
 * are not read, because a record may have had any number of them.
 */
export async function storedOptions(
  ctx: Context,
  { table, owner }: OptionKind,
  ownerId: string,
  input: readonly OptionInput[],
): Promise<OptionRow[]> {
  const { id, position, name, colorCode, thumbnailImageId, deleted } = table;
  const ids = idArray(input.flatMap((option) => option.id ?? []));
  const byName = Map.groupBy(
    input.filter((option) => option.id === undefined),
    (option) => option.name,
  );
  const names = textArray([...byName.keys()]);
  const counts = textArray([...byName.values()].map(({ length }) => String(length)));
  const columns = sql`${id} as "id", ${position} as "position", ${name} as "name", ${colorCode} as "colorCode",
    ${thumbnailImageId} as "thumbnailImageId", ${deleted} as "deleted"`;
  const ownerColumn = columnsOf(table)[owner];
  const ofRecord = (condition: SQL): SQL =>
    sql`${ownedBy(ctx, table)} and ${ownerColumn} = ${ownerId} and ${condition}`;
  return await readRows(
    ctx,
    COLUMNS,
    sql`
    select ${columns} from ${table} where ${ofRecord(sql`not ${deleted}`)}
    union all
    select ${columns} from ${table} where ${ofRecord(sql`${deleted} and ${id} = any(${ids})`)}
    union all
    select "id", "position", removed."name", "colorCode", "thumbnailImageId", "deleted" from (
      select ${columns}, row_number() over (partition by ${name} order by ${id} desc) as place from ${table}
      where ${ofRecord(sql`${deleted} and ${name} = any(${names}) and ${id} <> all(${ids})`)}
    ) as removed join unnest(${names}, ${counts}) as wanted(name, count) on wanted.name = removed."name"
    where removed.place <= wanted.count::integer`,
  );
}
