import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type SendDocument, startOperations } from '../support/operation.ts';

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
  ctx = await createContext(database.db);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

const send: SendDocument = async (...request) => await api.query(...request);
const save = (selectionType: string): string =>
  `saveVariantType(input: { name: "T", selectionType: ${selectionType}, values: [{ name: "V" }] }) { selectionType }`;

it.each([
  ['CHOICE', 'choice'],
  ['COLOR', 'color'],
])('%s is read as %s, in literals, variables and defaults of variables', async (alias, selectionType) => {
  const type = 'VariantSelectionTypeEnum';
  for (const [document, variables] of [
    [`mutation { ${save(alias)} }`, {}],
    [`mutation ($type: ${type}!) { ${save('$type')} }`, { type: alias }],
    [`mutation ($type: ${type}! = ${alias}) { ${save('$type')} }`, {}],
  ] as const) {
    const other = await createContext(database.db);
    expect(await send(other, document, variables)).toEqual({ data: { saveVariantType: { selectionType } } });
  }
});

it('introspection shows only the names of responses', async () => {
  const { data } = await send(ctx, '{ __type(name: "VariantSelectionTypeEnum") { enumValues { name } } }');
  expect(data).toEqual({ __type: { enumValues: [{ name: 'choice' }, { name: 'color' }] } });
});

it('other names are refused, in literals and in variables', async () => {
  const message = expect.stringContaining('Value "Choice" does not exist in "VariantSelectionTypeEnum" enum.');
  const query = `mutation ($type: VariantSelectionTypeEnum!) { ${save('$type')} }`;
  expect((await send(ctx, `mutation { ${save('Choice')} }`)).errors).toMatchObject([{ message }]);
  expect((await send(ctx, query, { type: 'Choice' })).errors).toMatchObject([{ message }]);
});
