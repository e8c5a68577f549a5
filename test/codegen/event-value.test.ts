import { globSync, readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { expect, it } from 'vitest';
import { plugin } from '../../codegen/event-function.ts';

it('names the type and the field that has neither a column nor an expression, and what is missing', () => {
  const sdl = globSync('schema/*.graphql')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const schema = buildSchema(sdl.replace(/^type Customer \{/m, '$&\n  taxCode: String'));
  const outputFile = 'migrations/functions/customer_events.sql';
  expect(() => plugin(schema, [], {}, { outputFile })).toThrow(
    'Customer.taxCode: String has neither a column nor an expression. Add the column "taxCode" to the table "customer" ' +
      'in drizzle/, or "taxCode" to the projection of Customer in src/.',
  );
});
