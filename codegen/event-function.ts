import { basename } from 'node:path';
import { aliasedTable, getTableName, sql } from 'drizzle-orm';
import type { GraphQLObjectType, GraphQLSchema } from 'graphql';
import { customerShape } from '../src/customer/customer.ts';
import type { AnyProjection } from '../src/db/read/event-source.ts';
import { sqlScope, type TenantTable } from '../src/db/read/projection.ts';
import { productShape } from '../src/product/product.ts';
import { productStockLocationShape } from '../src/stock/product-stock-location.ts';
import { indented, members } from './event-value.ts';

/** The GraphQL types whose records have events, and the shapes by which they are read. */
const EVENT_TYPES: Record<string, { type: string; shape: AnyProjection }> = {
  customer_events: { type: 'Customer', shape: customerShape },
  product_events: { type: 'Product', shape: productShape },
  product_stock_location_events: { type: 'ProductStockLocation', shape: productStockLocationShape },
};

/** A plugin of graphql-codegen: `npm run codegen` writes the file, `npm run codegen:check` compares it. */
export function plugin(
  schema: GraphQLSchema,
  _documents: unknown,
  _config: unknown,
  info?: { outputFile?: string },
): string {
  const name = basename(info!.outputFile!, '.sql');
  const { type, shape } = EVENT_TYPES[name]!;
  return eventFunction(name, schema.getType(type) as GraphQLObjectType, shape);
}

/**
 * Rows are handed over whole, as a trigger has them. JSON is made by Postgres of values, not by the expressions of the
 * shape, which make texts: events have had the form of numbers and spaces that Postgres writes since the first one.
 */
function eventFunction(name: string, type: GraphQLObjectType, shape: AnyProjection): string {
  // The parameter of the function stands where a read has the merchant's id.
  const read = sqlScope({ merchantId: sql.raw('merchant') as unknown as string }, {});
  const row = aliasedTable(shape.table, 'r') as TenantTable;
  const values = members(type, shape, row, read).map(([member, value]) =>
    indented(`${value} as "${member}"`, '      '),
  );
  return `-- Written by \`npm run codegen\` from the fields of ${type.name} in schema/ and src/. Do not edit.
create or replace function ${name}(merchant uuid, records ${getTableName(shape.table)}[]) returns table (id uuid, data text)
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
