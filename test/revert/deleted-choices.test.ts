import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;

beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
  ctx = await createContext(database.db);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

type Answer = { data: any; errors?: { extensions: Record<string, unknown> }[] };

async function send(name: string, variables: object): Promise<Answer> {
  return (await server.call(ctx, name, variables)) as Answer;
}
async function call(name: string, variables: object): Promise<any> {
  const { data, errors } = await send(name, variables);
  expect(errors).toBeUndefined();
  return data[name];
}

async function lastSet(recordId: string): Promise<string> {
  const { data } = await call('listChange', { recordId: { eq: recordId }, pagination: { limit: 1 } });
  return data[0].changeSet.id;
}

type Kind = [type: string, member: string, members: object];
const TYPES: Kind[] = [
  ['VariantType', 'values', { selectionType: 'choice' }],
  ['ProductAttribute', 'options', { type: 'CHOICE' }],
];

/** A record that has lost the translation of its first choice, and the change set that removed the translation. */
async function withoutTranslation([type, member, members]: Kind): Promise<[any, string]> {
  const input = { name: `A ${type}`, ...members, [member]: [{ name: 'Small' }, { name: 'Large' }] };
  const saved = await call(`save${type}`, { input });
  const choices = saved[member].map(({ id, name }: any) => ({ id, name }));
  const translations = [{ locale: 'de', name: null, [member]: [{ id: choices[0].id, name: 'Klein' }] }];
  const stored = { ...input, id: saved.id, [member]: choices };
  await call(`save${type}`, { input: { ...stored, translations } });
  await call(`save${type}`, { input: { ...stored, translations: [] } });
  return [stored, await lastSet(saved.id)];
}

it.each(TYPES)('takes translations of the %s back after it was deleted', async (...one) => {
  const [type, member] = one;
  const [{ id, [member]: choices }, changeSetId] = await withoutTranslation(one);
  await call(`delete${type}List`, { idList: [id] });
  expect(await call('revertChanges', { input: { changeSetId } })).toMatchObject({ recordCount: 1 });
  const [found] = await call(`list${type}`, { id: { eq: id }, includeDeleted: true });
  expect(found.translations).toMatchObject([{ locale: 'de', [member]: [{ id: choices[0].id, name: 'Klein' }] }]);
});

it.each(TYPES)('takes translations of the %s not back if their choice was removed', async (...one) => {
  const [, member] = one;
  const [{ [member]: choices, ...stored }, changeSetId] = await withoutTranslation(one);
  await call(`save${one[0]}`, { input: { ...stored, [member]: choices.slice(1) } });
  const { errors } = await send('revertChanges', { input: { changeSetId } });
  expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND', ids: [choices[0].id] } }]);
});
