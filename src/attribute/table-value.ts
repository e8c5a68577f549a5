import type { productAttribute } from '../../drizzle/attribute.ts';
import { objectsOf } from '../db/read/stored-list.ts';
import { normalizedName } from '../values/text.ts';
import { jsonOf } from '../values/value-text.ts';

type Template = (typeof productAttribute.$inferSelect)['tableTemplate'];
type Heading = { id: string; name: string };
type Keys = { rows: ReadonlySet<unknown>; columns: ReadonlySet<unknown> };

/** The table of an attribute, with which its values are compared. `keys`: the ids and names of the headings. */
export type Table = { rowCount: number; columnCount: number; keys: Keys };

const ROW_MEMBERS = ['rowId', 'row'];
const COLUMN_MEMBERS = ['columnId', 'colId', 'column'];

/** Null if there is nothing to compare values with: plain SQL can store any JSON as a template. */
export function tableOf(template: Template): Table | null {
  if (!template || !Array.isArray(template.rows) || !Array.isArray(template.columns)) return null;
  const { rows, columns } = template;
  const keys = { rows: keysOf(rows), columns: keysOf(columns) };
  return { rowCount: rows.length, columnCount: columns.length, keys };
}

/**
 * Whether a value is JSON whose cells are in rows and columns of the table. The JSON may be `[{rowId, columnId,
 * value}]`, a list of rows that are lists of cells, or objects with the cells by row and column; ids or headings
 * identify rows and columns. JSON of another shape is accepted, because clients use shapes of their own.
 */
export function fitsTable(value: string, table: Table | null): boolean {
  const content = jsonOf(value);
  if (typeof content !== 'object' || content === null) return false;
  if (!table) return true;
  const { rowCount, columnCount, keys } = table;
  if (isListOfRows(content)) return content.length <= rowCount && content.every((row) => row.length <= columnCount);
  return isInTable(content, keys) && (!isObjectOfObjects(content) || hasKeysOf(content, keys));
}

function keysOf(headings: Heading[]): ReadonlySet<unknown> {
  return new Set(objectsOf<Heading>(headings).flatMap(({ id, name }) => [id, name]));
}

function isListOfRows(content: object): content is unknown[][] {
  return Array.isArray(content) && content.length > 0 && content.every((row) => Array.isArray(row));
}

function isObjectOfObjects(content: object): content is Record<string, object> {
  const members = Object.values(content) as unknown[];
  const isObject = (member: unknown): boolean =>
    typeof member === 'object' && member !== null && !Array.isArray(member);
  return !Array.isArray(content) && members.length > 0 && members.every(isObject);
}

/**
 * Whether each object at any depth that names a row or column names one of the template. Not recursive, because the
 * caller chooses the depth.
 */
function isInTable(content: object, keys: Keys): boolean {
  const rest: object[] = [content];
  for (let cell = rest.pop(); cell; cell = rest.pop()) {
    if (!areKnown(cell, ROW_MEMBERS, keys.rows) || !areKnown(cell, COLUMN_MEMBERS, keys.columns)) return false;
    for (const member of Object.values(cell) as unknown[])
      if (typeof member === 'object' && member !== null) rest.push(member);
  }
  return true;
}

function areKnown(cell: object, members: string[], keys: ReadonlySet<unknown>): boolean {
  return members.every((member) => {
    const key = (cell as Record<string, unknown>)[member];
    return typeof key !== 'string' || key === '' || isKnown(keys, key);
  });
}

/** Ids are stored as they were sent, headings normalized. */
function isKnown(keys: ReadonlySet<unknown>, text: string): boolean {
  return keys.has(text) || keys.has(normalizedName(text));
}

/** Whether the keys of an object of objects are rows and columns of the template, or columns and rows. */
function hasKeysOf(content: Record<string, object>, { rows, columns }: Keys): boolean {
  const areKeys = (outer: ReadonlySet<unknown>, inner: ReadonlySet<unknown>): boolean =>
    Object.entries(content).every(
      ([key, cells]) => isKnown(outer, key) && Object.keys(cells).every((cell) => isKnown(inner, cell)),
    );
  return areKeys(rows, columns) || areKeys(columns, rows);
}
