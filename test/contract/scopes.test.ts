import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppScope, appScopes } from '../../src/app-scope.ts';
import type { Context } from '../../src/context.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { operations, startOperations } from '../support/operation.ts';
import { calls, createShop, type Shop } from './calls.ts';

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
let owner: Context;
let shop: Shop;
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
  owner = await createContext(database.db);
  shop = await createShop(api.call, owner);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

const needed = [...operations].flatMap(([name, { field }]) => {
  const scope = /@requiresScope\(scope: (\w+)\)/.exec(
    field.astNode!.loc!.source.body.slice(field.astNode!.loc!.start, field.astNode!.loc!.end),
  )?.[1];
  return scope ? [[name, scope.toLowerCase() as AppScope] as const] : [];
});

describe('an operation', () => {
  it('needs a scope by its directive, or by values of its input', () => {
    expect(needed.length).toBeGreaterThan(30);
    const others = [...operations].filter(([name]) => !needed.some(([other]) => other === name));
    const directives = others.flatMap(([, { field }]) => field.astNode!.directives!.map(({ name }) => name.value));
    expect(directives.filter((name) => name === 'authenticated')).toHaveLength(others.length);
  });

  // docs/reliability-tests.md: 7
  it.each(needed)(
    '%s is refused to a token that has all scopes except %s and those that include it',
    async (name, scope) => {
      const others = appScopes.filter((other) => other !== scope && other !== scope.replace('read_', 'write_'));
      expect(others.length).toBeLessThan(appScopes.length);
      const without = { ...owner, session: { ...owner.session, scopes: new Set(others) } };
      const { data, errors } = await api.call(without, name, variablesOf(name));
      expect(errors).toMatchObject([{ path: [name], extensions: { code: 'UNAUTHORIZED', requiredScope: scope } }]);
      expect(data?.[name] ?? null).toBeNull();
    },
  );

  it.each(needed)('%s is not refused to a token with only %s', async (name, scope) => {
    const alone = { ...owner, session: { ...owner.session, scopes: new Set([scope]) } };
    const { errors } = await api.call(alone, name, variablesOf(name));
    expect(errors?.filter(({ extensions }) => extensions['code'] === 'UNAUTHORIZED') ?? []).toEqual([]);
  });
});

/** The variables of the owner's call without filters, which are incomplete in `calls`. */
function variablesOf(name: string): object {
  const { field } = operations.get(name)!;
  const filters = field.args.filter(({ type }) => /FilterInput/.test(String(type))).map(({ name }) => name);
  return Object.fromEntries(Object.entries(calls[name]!(shop)).filter(([argument]) => !filters.includes(argument)));
}
