import { readdirSync, readFileSync } from 'node:fs';
import { buildSchema, isEnumType, parse, stripIgnoredCharacters, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChanges } from '../../codegen/schema-review/changes.ts';
import { completeDocuments, refusalsOf } from '../../codegen/schema-review/frozen-documents.ts';
import { reviewSdl } from '../../codegen/schema-review/review.ts';
import {
  currentSdl,
  frozenDocuments,
  releasedSdl,
  releases,
  schemaOf,
} from '../../codegen/schema-review/sdl-version.ts';
import { usageOfChecks } from '../../codegen/schema-review/usage.ts';
import type { Context } from '../../src/context.ts';
import { enumAliases } from '../../src/graphql/document/enum-aliases.ts';
import { readTypeAliases, resolveTypeAliases } from '../../src/graphql/document/type-aliases.ts';
import { callWithFilters, createShop, type Shop } from '../contract/calls.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { type Answer, post } from '../support/post.ts';

const BY_HAND = new URL('by-hand/', import.meta.url);
const NOW = new Date();
const USING_APP = {
  merchantId: 'm',
  authorizedAppId: 'a',
  appName: 'Till',
  requests: 1,
  lastUsedOn: '2026-06-30',
  operations: [],
};

const released = new Map(releases().map((release) => [release, schemaOf(releasedSdl(release))]));
const current = schemaOf(currentSdl());
const review = await reviewSdl({ usage: usageOfChecks() });
const frozen = frozenDocuments();
const byHand = readdirSync(BY_HAND)
  .filter((file) => file.endsWith('.graphql'))
  .map((file) => file.replace('.graphql', ''));

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

describe('the documents of the releases', () => {
  it('exist for each operation of a release, complete and unchanged', () => {
    for (const [release, schema] of released) {
      const earlier = frozen.filter((document) => releases().indexOf(document.release) <= releases().indexOf(release));
      const texts = new Set(earlier.map(({ text }) => stripIgnoredCharacters(text)));
      const missing = [...completeDocuments(schema)].filter(([, text]) => !texts.has(stripIgnoredCharacters(text)));
      expect([release, missing.map(([name]) => name)]).toEqual([release, []]);
    }
    expect(frozen.length).toBeGreaterThan(40);
  });

  it.each(frozen)('$release $name is accepted and executed', async ({ release, name, text }) => {
    const options = { current, releases: [...released.values()], review, now: NOW };
    expect(refusalsOf(parse(text), released.get(release)!, options)).toEqual([]);
    if (validate(current, parse(text)).length > 0) return;
    const { errors, data } = await send({ query: text, variables: callWithFilters(name, shop) });
    // A dry run refuses it, because it sends requests.
    if (name === 'testWebhook')
      return expect(errors).toMatchObject([{ extensions: { issues: [{ path: ['X-Dry-Run'] }] } }]);
    expect([errors, Object.keys(data ?? {})]).toEqual([undefined, [name]]);
  });
});

describe('a document by hand', () => {
  it.each(byHand)('%s is accepted and executed', async (name) => {
    const query = readFileSync(new URL(`${name}.graphql`, BY_HAND), 'utf8');
    for (const definition of parse(query).definitions) {
      if (definition.kind !== 'OperationDefinition') continue;
      const operationName = definition.name?.value;
      const { errors, data } = await send({
        query,
        variables: variablesOf(name),
        ...(operationName && { operationName }),
      });
      expect([operationName, errors, data]).toEqual([operationName, undefined, expect.anything()]);
    }
  });

  it('uses each alias', () => {
    const texts = byHand.map((name) => readFileSync(new URL(`${name}.graphql`, BY_HAND), 'utf8')).join('\n');
    const aliases = readTypeAliases(current);
    const ofValues = Object.values(current.getTypeMap())
      .filter(isEnumType)
      .flatMap((type) => Array.from(enumAliases(type), ([alias, { name }]) => [alias, `${type.name}.${name}`]));
    expect([aliases.size, ofValues.length]).not.toContain(0);
    const all = [...aliases, ...ofValues];
    expect(all.filter(([alias]) => !texts.includes(`: ${alias}`))).toEqual([]);
    const documented = readFileSync('docs/clients.md', 'utf8').matchAll(/^\| `(\w+)` \| `([\w.]+)` \|$/gm);
    expect(Array.from(documented, ([, alias, type]) => [alias, type])).toEqual(all);
    const resolved = resolveTypeAliases(parse('query ($a: SalesChannelFilterInput) { me { id } }'), aliases);
    expect(resolved.definitions[0]).toMatchObject({
      variableDefinitions: [{ type: { name: { value: 'StringFilterInput' } } }],
    });
  });
});

describe('a document of a release that a later schema refuses', () => {
  const SDL =
    'type Query { list(sort: String, name: String): [Thing!] } type Thing { id: ID, old: Kind, name: String } enum Kind { A }';
  const document = parse('query ($sort: String) { list(sort: $sort, name: "x") { id old name } }');
  const first = buildSchema(SDL);
  const deprecated = (until: string) =>
    buildSchema(
      SDL.replace('old: Kind', `old: Kind @deprecated(reason: "Since 2026-01-01, until ${until}: x.")`).replace(
        'sort: String',
        `sort: String @deprecated(reason: "Since 2026-01-01, until ${until}: x.")`,
      ),
    );
  const later = buildSchema('type Query { list(name: String): [Thing!] } type Thing { id: ID, name: String }');
  const now = new Date('2026-07-01');
  const review = { changes: [] };
  const refused = (until: string) =>
    refusalsOf(document, first, { current: later, releases: [first, deprecated(until)], review, now });

  it('fails before the end of the deprecation, and names what is missing', () => {
    expect(refused('2026-07-02').map(({ coordinate }) => coordinate)).toEqual(['Query.list(sort:)', 'Thing.old']);
  });

  it('is skipped from the end of the deprecation on', () => {
    expect(refused('2026-07-01')).toEqual([]);
  });

  it('fails for a member that was never deprecated', () => {
    const without = buildSchema('type Query { list(sort: String, name: Int): [Thing!] } type Thing { id: ID }');
    const options = { current: without, releases: [deprecated('2026-01-02')], review, now };
    expect(refusalsOf(document, first, options).map(({ coordinate }) => coordinate)).toContain('Thing.name');
  });

  it('is skipped if nobody used the removed part', () => {
    const changes = findChanges(first, later, now).map((change) => ({
      ...change,
      usedBy: change.coordinate === 'Thing.old' ? [] : [USING_APP],
      isAllowed: change.coordinate === 'Thing.old',
    }));
    const refusals = refusalsOf(document, first, { current: later, releases: [first], review: { changes }, now });
    expect(refusals.map(({ coordinate }) => coordinate)).toEqual(['Query.list(sort:)']);
  });

  it('is skipped if an earlier release refused it, which was checked at that time', () => {
    expect(refusalsOf(document, first, { current: later, releases: [first, later], review, now })).toEqual([]);
  });
});

/** Sends a dry run, so that the calls do not affect each other. */
async function send(body: { query: string; variables?: object; operationName?: string }): Promise<Answer['body']> {
  const headers = { 'x-dry-run': 'true' };
  const options = { token: owner.merchantId, ...(/^mutation/m.test(body.query) && { headers }) };
  return (await post(`${api.url}/api/v1/admin/graphql`, body, options)).body;
}

/** The variables from the JSON file of the document's name. Replaces `<brand>` by the id of the shop's brand. */
function variablesOf(name: string): object {
  const file = readdirSync(BY_HAND).find((one) => one === `${name}.json`);
  const text = file ? readFileSync(new URL(file, BY_HAND), 'utf8') : '{}';
  return JSON.parse(text.replace(/<(\w+)>/g, (_, kind: keyof Shop) => shop[kind])) as object;
}
