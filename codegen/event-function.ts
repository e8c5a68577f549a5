import { basename } from 'node:path';
import { aliasedTable, Column, getTableName, is, SQL } from 'drizzle-orm';
import type { GraphQLSchema } from 'graphql';
import { customerShape } from '../src/customer/customer.ts';
import { type Expression, type Reader, reader, type TenantTable } from '../src/db/shape.ts';
import { productStockLocationShape } from '../src/stock/product-stock-location.ts';

/** A GraphQL type whose records have events, and the shape by which it is read. */
type EventType = { type: string; shape: { table: TenantTable; fields: object } };

/** By the function that makes their data. */
const EVENT_TYPES: Record<string, EventType> = {
  customer_events: { type: 'Customer', shape: customerShape },
  product_stock_location_events: { type: 'ProductStockLocation', shape: productStockLocationShape },
};

type Field = (row: TenantTable, read: Reader) => Expression<unknown>;

/** A plugin of graphql-codegen: `npm run codegen` writes the file, `npm run codegen:check` compares it. */
export function plugin(schema: GraphQLSchema, _documents: unknown, _config: unknown, info?: { outputFile?: string }): string {
  const name = basename(info!.outputFile!, '.sql');
  const { type, shape } = EVENT_TYPES[name]!;
  // graphql-codegen sorts the fields of the schema, but not those of its source.
  const members = schema.getType(type)!.astNode as { fields?: readonly { name: { value: string } }[] };
  return eventFunction(name, type, shape, members.fields!.map((field) => field.name.value));
}

/**
 * Rows are handed over whole, as a trigger has them. JSON is made by Postgres of values, not by the expressions of the
 * shape, which make texts: events have had the form of numbers and spaces that Postgres writes since the first one.
 */
function eventFunction(name: string, type: string, { table, fields }: EventType['shape'], members: readonly string[]): string {
  const values = members.map((member) => `      ${valueOf(table, member, (fields as Record<string, Field>)[member]!)} as "${member}"`);
  return `-- Written by \`npm run codegen\` from the fields of ${type} in schema/ and src/. Do not edit.
create or replace function ${name}(records ${getTableName(table)}[]) returns table (id uuid, data text)
language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
  select r.id, row_to_json(d)::text
  from unnest(records) r, lateral (
    select
${values.join(',\n')}
  ) d;
end $$;
`;
}

/** The value that a field reads, which the type of its column makes what GraphQL answers. */
function valueOf(table: TenantTable, member: string, field: Field): string {
  const { sql } = field(aliasedTable(table, 'r'), reader({ merchantId: '' }, {}));
  const [column, ...others] = new Map(columnsIn(sql).map((column) => [column.name, column])).values();
  if (!column || others.length > 0) throw new Error(`${member} reads ${others.length + 1} columns, where an event needs one`);
  const type = column.getSQLType();
  if (type.startsWith('numeric')) return `trim_scale(r.${column.name})`;
  if (type.startsWith('timestamp')) return `(extract(epoch from r.${column.name}) * 1000)::bigint`;
  return `r.${column.name}`;
}

function columnsIn(expression: SQL): Column[] {
  return expression.queryChunks.flatMap((chunk) => (is(chunk, Column) ? [chunk] : is(chunk, SQL) ? columnsIn(chunk) : []));
}
