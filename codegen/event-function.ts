import { aliasedTable, getTableName, sql } from 'drizzle-orm';
import type { GraphQLObjectType } from 'graphql';
import { customerProjection } from '../src/customer/customer.ts';
import type { AnyProjection } from '../src/db/read/event-source.ts';
import { sqlScope, type TenantTable } from '../src/db/read/projection.ts';
import { productProjection } from '../src/product/product.ts';
import { stockHoldProjection } from '../src/stock/hold/stock-hold.ts';
import { productStockLocationProjection } from '../src/stock/product-stock-location.ts';
import { filePlugin } from './file-plugin.ts';
import { indented, members } from './event-value.ts';

/** The GraphQL types whose records have events, and their projections. */
export const EVENT_TYPES: Record<string, { type: string; projection: AnyProjection }> = {
  customer_events: { type: 'Customer', projection: customerProjection },
  product_events: { type: 'Product', projection: productProjection },
  product_stock_location_events: { type: 'ProductStockLocation', projection: productStockLocationProjection },
  stock_hold_events: { type: 'StockHold', projection: stockHoldProjection },
};

/** The names of the SQL functions that this plugin writes. */
export const eventFunctions = Object.keys(EVENT_TYPES);

export const plugin = filePlugin('.sql', (name, schema) => {
  const { type, projection } = EVENT_TYPES[name]!;
  return eventFunction(name, schema.getType(type) as GraphQLObjectType, projection);
});

/**
 * The function takes whole rows, as triggers have them. Postgres makes the JSON from values, not from the text
 * expressions of the projection: events have had Postgres' number format and spaces from the start.
 */
function eventFunction(name: string, type: GraphQLObjectType, projection: AnyProjection): string {
  // The function's parameter takes the place of the merchant's id.
  const read = sqlScope({ merchantId: sql.raw('merchant') as unknown as string }, {});
  const row = aliasedTable(projection.table, 'r') as TenantTable;
  const values = members(type, projection, row, read).map(([member, value]) =>
    indented(`${value} as "${member}"`, '      '),
  );
  return `-- Written by \`npm run codegen\` from the fields of ${type.name} in schema/ and src/. Do not edit.
create or replace function ${name}(merchant uuid, records ${getTableName(projection.table)}[]) returns table (id uuid, data text)
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
