import { Column, getTableName, is, SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import {
  getNamedType,
  getNullableType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isListType,
  isObjectType,
  type ObjectTypeDefinitionNode,
} from 'graphql';
import type {
  AnyProjection,
  DocumentsPart,
  EventPart,
  OmittedPart,
  RecordsPart,
  RowsPart,
  UsesPart,
} from '../src/db/read/event-source.ts';
import { fieldOf } from '../src/db/read/json-object.ts';
import { aliased, type Field, type SqlScope, type TenantTable } from '../src/db/read/projection.ts';
import { MAX_LIST_BYTES } from '../src/db/read/relations.ts';
import { idOf as idOfText, listElements } from '../src/db/read/stored-list.ts';
import { ownedBy } from '../src/db/sql/parameter.ts';

const dialect = new PgDialect();

/** The members of a GraphQL type in the order of schema/, with their SQL values. */
export function members(
  type: GraphQLObjectType,
  projection: AnyProjection,
  row: TenantTable,
  scope: SqlScope,
): [name: string, value: string][] {
  return fieldsOf(type).flatMap(([name, fieldType]): [string, string][] => {
    const { sql: text, event } = readField({ type, name, fieldType }, projection, row, scope);
    if (event?.kind === 'omitted') return [];
    return [[name, event ? valueOfPart(event, fieldType, scope) : valueOfColumn(name, text)]];
  });
}

type FieldOfType = { type: GraphQLObjectType; name: string; fieldType: GraphQLOutputType };

/** The compiler names such a field too, but only after this has written the types. */
function readField(
  { type, name, fieldType }: FieldOfType,
  projection: AnyProjection,
  row: TenantTable,
  scope: SqlScope,
) {
  const field = fieldOf(projection, name, row, scope);
  if (field) return field;
  throw new Error(
    `${type.name}.${name}: ${String(fieldType)} has neither a column nor an expression. Add the column "${name}" to the ` +
      `table "${getTableName(projection.table)}" in drizzle/, or "${name}" to the projection of ${type.name} in src/.`,
  );
}

/** graphql-codegen sorts the fields of types, but not in their source. */
function fieldsOf(type: GraphQLObjectType): [name: string, type: GraphQLOutputType][] {
  return (type.astNode as ObjectTypeDefinitionNode).fields!.map(({ name }) => [
    name.value,
    type.getFields()[name.value]!.type,
  ]);
}

/** The type of the column that a field reads decides its GraphQL value. */
function valueOfColumn(name: string, text: SQL): string {
  const [column, ...others] = new Map(columnsIn(text).map((column) => [column.name, column])).values();
  if (!column || others.length > 0)
    throw new Error(
      `${name} reads ${others.length + (column ? 1 : 0)} columns: an event needs exactly one, or an event source`,
    );
  const type = column.getSQLType();
  const value = textOf(sql`${column}`);
  if (type.startsWith('numeric')) return `trim_scale(${value})`;
  if (type.startsWith('timestamp')) return `(extract(epoch from ${value}) * 1000)::bigint`;
  return value;
}

function columnsIn(expression: SQL): Column[] {
  return expression.queryChunks.flatMap((chunk) =>
    is(chunk, Column) ? [chunk] : is(chunk, SQL) ? columnsIn(chunk) : [],
  );
}

function valueOfPart(part: Exclude<EventPart, OmittedPart>, fieldType: GraphQLOutputType, scope: SqlScope): string {
  const type = getNamedType(fieldType) as GraphQLObjectType;
  switch (part.kind) {
    case 'value':
      return textOf(part.sql);
    case 'row':
    case 'rows':
      return rows(part, type, scope);
    case 'record':
      return record(part, type, scope);
    case 'records':
      return records(part, type, scope);
    case 'document':
      return document(part, type, scope);
    case 'documents':
      return documents(part, type, scope);
    case 'uses':
      return uses(part, type, scope);
  }
}

function rows(
  { kind, type: projection, row, from, where, orderBy }: RowsPart,
  type: GraphQLObjectType,
  scope: SqlScope,
): string {
  const found = object(members(type, projection, row, scope));
  const conditions = all([ownedBy(scope.tenant, row), ...where]);
  if (kind === 'row') return select(found, textOf(from), conditions);
  return list(found, orderBy ? textOf(sql.join(orderBy, sql`, `)) : null, `${textOf(from)}\nwhere ${conditions}`);
}

function record({ type: projection, ids, where }: RecordsPart, type: GraphQLObjectType, scope: SqlScope): string {
  const { row, from } = aliased(scope, projection.table);
  const conditions = all([ownedBy(scope.tenant, row), sql`${idOf(row)} = ${ids}`, ...(where?.(row as never) ?? [])]);
  return select(object(members(type, projection, row, scope)), textOf(from), conditions);
}

function records({ type: projection, ids, where }: RecordsPart, type: GraphQLObjectType, scope: SqlScope): string {
  const { row, from } = aliased(scope, projection.table);
  const conditions = all([ownedBy(scope.tenant, row), sql`${idOf(row)} = listed.id`, ...(where?.(row as never) ?? [])]);
  const listed = `unnest(${textOf(sql`${ids}`)}) with ordinality as listed(id, place)`;
  const source = `${listed}\njoin ${textOf(from)} on ${conditions}`;
  return list(object(members(type, projection, row, scope)), 'listed.place', source);
}

function uses({ type: projection, column, id, own }: UsesPart, type: GraphQLObjectType, scope: SqlScope): string {
  const { row, from } = aliased(scope, projection.table);
  const use = `entry${scope.state.nextAlias++}`;
  const values = new Map(
    members(type, { ...projection, fields: { ...projection.fields, ...unread(own) } }, row, scope),
  );
  for (const [name, fieldType] of fieldsOf(type))
    if (own.includes(name)) values.set(name, stored(use, name, fieldType, scope));
  const usedId = idOfText(sql`${sql.raw(use)} ->> ${sql.raw(`'${id}'`)}`);
  const conditions = all([ownedBy(scope.tenant, row), sql`${idOf(row)} = ${usedId}`]);
  return limitedList(object([...values]), `${entries(column, use)}\njoin ${textOf(from)} on ${conditions}`);
}

function unread(names: readonly string[]): Record<string, Field<TenantTable, unknown>> {
  return Object.fromEntries(
    names.map((name) => [name, () => ({ sql: sql`null`, event: { kind: 'value', sql: sql`null` } })]),
  );
}

function document({ column }: DocumentsPart, type: GraphQLObjectType, scope: SqlScope): string {
  const value = textOf(sql`${column}`);
  return `case when ${value} is not null then ${object(entryMembers(value, type, scope))} end`;
}

function documents(part: DocumentsPart, type: GraphQLObjectType, scope: SqlScope): string {
  const { column, derive, omitted = [] } = part;
  const entry = `entry${scope.state.nextAlias++}`;
  const derived = derive?.(sql.raw(entry), scope);
  const source = [
    entries(column, entry),
    ...(derived ? [textOf(derived.joins), `where ${textOf(derived.where)}`] : []),
  ].join('\n');
  const values = entryMembers(entry, type, scope, derived?.members).filter(([name]) => !omitted.includes(name));
  return list(object(values), 'place', source);
}

function entries(column: DocumentsPart['column'], entry: string): string {
  return `${textOf(listElements(sql`${column}`))} with ordinality as listed(${entry}, place)`;
}

function entryMembers(
  entry: string,
  type: GraphQLObjectType,
  scope: SqlScope,
  derived: Record<string, SQL> = {},
): [string, string][] {
  return fieldsOf(type).map(([name, fieldType]) => [
    name,
    derived[name] ? textOf(derived[name]) : stored(entry, name, fieldType, scope),
  ]);
}

/** A member of a JSON object by its GraphQL type. Postgres formats numbers: JavaScript writes some with an exponent. */
function stored(entry: string, name: string, fieldType: GraphQLOutputType, scope: SqlScope): string {
  const type = getNamedType(fieldType);
  if (isListType(getNullableType(fieldType))) {
    return isObjectType(type)
      ? documents({ kind: 'documents', column: sql.raw(`${entry} -> '${name}'`) }, type, scope)
      : `${entry} -> '${name}'`;
  }
  switch (type.name) {
    case 'Float':
      return `trim_scale((${entry} ->> '${name}')::numeric)`;
    case 'Boolean':
      return `(${entry} ->> '${name}')::boolean`;
    default:
      return `${entry} ->> '${name}'`;
  }
}

function idOf(row: TenantTable): SQL {
  return sql`${(row as unknown as { id: Column }).id}`;
}

function object(values: readonly (readonly [string, string])[]): string {
  return `json_build_object(\n${indented(values.map(([name, value]) => `'${name}', ${value}`).join(',\n'))})`;
}

function select(value: string, from: string, where: string): string {
  return `(\n${indented(`select ${value}\nfrom ${from}\nwhere ${where}`)})`;
}

function list(value: string, order: string | null, source: string): string {
  const rows = `select json_agg(${value}${order ? ` order by ${order}` : ''})\nfrom ${source}`;
  return `coalesce((\n${indented(rows)}), '[]')`;
}

/** A list whose records have no limit in common, in the order of `place`; limited as `aggregateLimited` does. */
function limitedList(value: string, source: string): string {
  const elements = indented(`select ${value} as data, place\nfrom ${source}\noffset 0`);
  const counted = `select data, place, sum(octet_length(data::text)) over (rows unbounded preceding) as total
from (\n${elements}) as element`;
  const rows = `select case when max(total) > ${MAX_LIST_BYTES} then refuse_large_list(max(total))::json
  else json_agg(data order by place) filter (where total <= ${MAX_LIST_BYTES}) end
from (\n${indented(counted)}) as counted`;
  return `coalesce((\n${indented(rows)}), '[]')`;
}

function all(conditions: readonly SQL[]): string {
  return textOf(sql.join([...conditions], sql` and `));
}

export function indented(text: string, by = '  '): string {
  return text.replaceAll(/^(?=.)/gm, by);
}

/** Removes unnecessary quotes of names and the indentation of templates. */
function textOf(expression: SQL): string {
  const { sql: text, params } = dialect.sqlToQuery(expression);
  if (params.length > 0) throw new Error(`An event function has no parameters: ${text}`);
  return text
    .replaceAll(/"([a-z][a-z0-9_]*)"/g, '$1')
    .replaceAll(/\n\s+/g, '\n')
    .trim();
}
