import { readFileSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { getNamedType, type GraphQLObjectType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { EVENT_TYPES } from '../../codegen/event-function.ts';
import type { AnyProjection } from '../../src/db/read/event-source.ts';
import { fieldOf } from '../../src/db/read/json-object.ts';
import { sqlScope, type TenantTable } from '../../src/db/read/projection.ts';
import { buildSchema, readSources } from '../../src/graphql/schema/schema.ts';
import { resolvers } from '../../src/resolvers.ts';

const PAGE = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');

/** The members of a type and of its records and values that events leave out, as `Type.member`. */
function leftOut(type: GraphQLObjectType, projection: AnyProjection): string[] {
  const scope = sqlScope({ merchantId: sql.raw('merchant') as unknown as string }, {});
  return Object.values(type.getFields()).flatMap(({ name, type: fieldType }): string[] => {
    const event = fieldOf(projection, name, projection.table as TenantTable, scope)?.event;
    const inner = getNamedType(fieldType);
    if (event?.kind === 'omitted') return [`${type.name}.${name}`];
    if (!event || event.kind === 'value' || !isObjectType(inner)) return [];
    if ('omitted' in event) return event.omitted!.map((member) => `${inner.name}.${member}`);
    return 'type' in event ? leftOut(inner, event.type) : [];
  });
}

test('the page names exactly the members of reads that events leave out', () => {
  const schema = buildSchema(readSources(), resolvers);
  const found = Object.values(EVENT_TYPES).flatMap(({ type, projection }) =>
    leftOut(schema.getType(type) as GraphQLObjectType, projection),
  );
  const section = /### What `data` lacks\n(.*?)\n### /s.exec(PAGE)![1]!;
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`(\w+\.\w+)`/g)].map(([, member]) => member!));
  expect(named.toSorted()).toEqual([...new Set(found)].toSorted());
});
