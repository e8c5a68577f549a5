import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppScope, appScopes } from '../../src/app-scope.ts';
import { issueAccessToken } from '../../src/app/credentials/access-token.ts';
import { merchantOf } from '../../src/app/credentials/merchant-prefix.ts';
import { newId } from '../../src/db/sql/id.ts';
import { operations } from '../support/operation.ts';
import { type Answer, codes, post, postText } from '../support/post.ts';
import { startTestService, type TestService } from '../support/whole-service.ts';
import { floatMembers, NUMBER_MARK } from './float-members.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await startTestService();
  ({ token } = await service.createApp());
});
afterAll(() => service.stop());

const ID = '018f0000-0000-7000-8000-000000000000';
const SORTS: Record<string, readonly string[]> = {
  listCustomer: ['createdAt', '-updatedAt', 'firstName', '-firstName'],
  listProduct: ['createdAt', '-updatedAt', 'name', '-name'],
  listProductStockLocation: ['createdAt', '-updatedAt'],
};
/** Times that PostgreSQL cannot read, and texts that are not times. */
const FORGED_KEYS = [
  '999999999999999',
  '-999999999999999',
  '253402300800000',
  '-62135596800001',
  '8640000000000001',
  'infinity',
  '1e400',
  'NaN',
  '',
  "0'; select pg_sleep(5); --",
];
const FORGED_TEXTS = ['a\0b', '\ud800', 'x'.repeat(500_000), 5, null, { a: 1 }];

type Place = { list: string; sort: string };

function forged({ list, sort }: Place, key: unknown, id: unknown = ID): string {
  return Buffer.from(JSON.stringify([list, sort, key, id])).toString('base64url');
}

function validKey({ sort }: Place): string {
  if (/name/i.test(sort)) return 'a';
  return BY_ID.has(sort) ? ID : '0';
}

/** Cursors with an invalid key, id or form, for orders by times, ids and texts. */
function forgedCursors(place: Place): string[] {
  const { list, sort } = place;
  const keys = /name/i.test(sort) ? FORGED_TEXTS : [...FORGED_KEYS, ...FORGED_TEXTS];
  const key = validKey(place);
  return [
    ...keys.map((key) => forged(place, key)),
    ...['', 'x', `${ID}'`, `{${ID}}`, 7, null, [ID]].map((id) => forged(place, key, id)),
    forged({ list, sort: '-secret' }, key),
    forged({ list: 'merchant', sort }, key),
    Buffer.from(JSON.stringify([list, sort, key, ID, 'more'])).toString('base64url'),
    Buffer.from(JSON.stringify({ 0: list, 1: sort, 2: key, 3: ID, length: 4 })).toString('base64url'),
    '',
    '!',
    'null',
    'bnVsbA',
    `${forged(place, key)}!`,
    'A'.repeat(900_000),
  ];
}

/** Sorts by the id, which the lists have without an argument. */
const BY_ID = new Set(['-recorded', '-accepted', '-issued']);
const OWN_SORTS: Record<string, string> = {
  listWebhookDelivery: '-recorded',
  listChange: '-recorded',
  listStockMovement: '-recorded',
  listStockHold: '-recorded',
  listBulkOperation: '-accepted',
  listAccessToken: '-issued',
  explainWebhookList: 'rank',
};
const OWN_LISTS: Record<string, string> = { listChange: 'recorded_change', explainWebhookList: 'explanation' };

/** The list in the cursors of an operation: the table of its records. */
function listOf(name: string): string {
  const record = name.replace(/^list|Page$/, '');
  return OWN_LISTS[name] ?? record.replaceAll(/(?<=.)[A-Z]/g, '_$&').toLowerCase();
}

/** What a list needs besides. */
const REQUIRED: Record<string, string> = {
  explainWebhookList: `scope: "store/customer/created", recordId: "${newId()}", `,
};

function listDocuments(): { query: string; place: Place; name: string }[] {
  return [...operations].flatMap(([name, { field }]) => {
    if (!field.args.some((argument) => argument.name === 'pagination')) return [];
    const fields = String(field.type).includes('Pagination') ? 'data { __typename }' : '__typename';
    const sorts = SORTS[name] ?? [OWN_SORTS[name] ?? '-createdAt'];
    return sorts.map((sort) => ({
      name,
      place: { list: listOf(name), sort },
      query: `query ($after: String!) { ${name}(${REQUIRED[name] ?? ''}pagination: { after: $after }${SORTS[name] ? `, sort: "${sort}"` : ''}) { ${fields} } }`,
    }));
  });
}

describe('a forged cursor', () => {
  // docs/reliability-tests.md: 54
  it('is refused as invalid pagination.after, in every list and every order', { timeout: 240_000 }, async () => {
    const wrong: unknown[] = [];
    let sent = 0;
    for (const { name, place, query } of listDocuments()) {
      const valid = await send({ query, variables: { after: forged(place, validKey(place)) } });
      if (isAboutAfter(valid)) wrong.push({ name, place, errors: valid.body.errors });
      for (const after of forgedCursors(place)) {
        const answer = await send({ query, variables: { after } });
        sent++;
        if (!isAboutAfter(answer))
          wrong.push({ name, place, after: after.slice(0, 80), errors: answer.body.errors ?? null });
      }
    }
    expect(sent).toBeGreaterThan(300);
    expect(wrong).toEqual([]);
    expect(service.lines.join('')).not.toContain('unexpected error');
    expect(service.lines.join('')).not.toMatch(/999999999999999|\+033658/);
  });
});

function isAboutAfter(answer: Answer): boolean {
  const [error] = answer.body.errors ?? [];
  const issues = (error?.extensions['issues'] ?? []) as { path: unknown[] }[];
  const path = issues[0]?.path.join('.');
  return (
    answer.status === 200 &&
    codes(answer).join() === 'ARGUMENT_VALIDATION_ERROR' &&
    (path === 'pagination.after' || path === 'after')
  );
}

/** Numbers of which storing would lose more than a rounding error, as in JSON and in GraphQL. */
const WRONG_NUMBERS = [
  '1e-400',
  '-1e-400',
  `0.${'0'.repeat(330)}1`,
  '1e300',
  '-1e300',
  '1e400',
  '10000000000000',
  '123456789012345678901234567890',
  '1e-13',
];
const WRONG_AMOUNTS = ['1e-7', '0.1234567', '19.9900001', '0.123456789012345678901234567890'];

describe('a number that would not be stored as it was sent', () => {
  // docs/reliability-tests.md: 49
  it(
    'is refused as invalid input of its member, in every Float, in variables and in literals',
    { timeout: 240_000 },
    async () => {
      const members = floatMembers();
      const wrong: unknown[] = [];
      for (const { operation, path, description, variables } of members) {
        const numbers = description.includes('At most 6 decimals.')
          ? [...WRONG_NUMBERS, ...WRONG_AMOUNTS]
          : WRONG_NUMBERS;
        for (const [index, number] of numbers.entries()) {
          const json = variables.replace(NUMBER_MARK, number);
          const body = index % 2 === 0 ? inVariables(operation, json) : inLiterals(operation, json);
          const answer = await sendText(body);
          const named = ((answer.body.errors?.[0]?.extensions['issues'] ?? []) as { path: unknown[] }[]).map((issue) =>
            issue.path.join('.'),
          );
          if (codes(answer).join() !== 'ARGUMENT_VALIDATION_ERROR' || !named.includes(path.join('.')))
            wrong.push({ operation, path: path.join('.'), number, errors: answer.body.errors ?? answer.body.data });
        }
      }
      expect(members.length).toBeGreaterThan(35);
      expect(members.filter(({ description }) => !/At most 6 decimals\.|Keeps 15 digits\./.test(description))).toEqual(
        [],
      );
      expect(wrong.slice(0, 20)).toEqual([]);
    },
  );

  it('is stored as the intended decimal if only a rounding error is lost, and does not change later', async () => {
    const sent = [
      '0.30000000000000004',
      '19.99',
      '0.000001',
      '9999999999999',
      '1234567890.123456',
      '1e3',
      '-0',
      '4.35',
      '0.1e1',
      '999999999.999999',
    ];
    for (const number of sent) {
      const create = await sendText(
        inVariables(
          'saveProduct',
          `{"input":{"name":"P","type":"PHYSICAL","variants":[{"prices":[{"sellPrice":${number}}]}]}}`,
          '{ id variants { id prices { sellPrice } } }',
        ),
      );
      const { id, variants } = create.body.data!['saveProduct'] as {
        id: string;
        variants: { id: string; prices: { sellPrice: number }[] }[];
      };
      const expected = number === '0.30000000000000004' ? 0.3 : Number(number) + 0;
      expect(variants[0]!.prices).toEqual([{ sellPrice: expected }]);
      const before = await storedPrice(id);
      expect(Number(before.price)).toBe(expected);
      await send({
        query: 'mutation ($input: ProductInput!) { saveProduct(input: $input) { id } }',
        variables: { input: { id, name: 'P', type: 'PHYSICAL', variants } },
      });
      expect(await storedPrice(id), 'the row is not even written again').toEqual(before);
    }
  });
});

function inVariables(operation: string, json: string, selected?: string): string {
  const { field } = operations.get(operation)!;
  const declared = field.args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const passed = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  return `{"query":${JSON.stringify(`mutation (${declared}) { ${operation}(${passed}) ${selected ?? selection(operation)} }`)},"variables":${json}}`;
}

/** The arguments as literals of a document: JSON without quotes around names and enum values. */
function inLiterals(operation: string, json: string): string {
  const passed = json
    .slice(1, -1)
    .replace(/"(\w+)":/g, '$1: ')
    .replace(/"([A-Z][A-Z_]+)"/g, '$1');
  return JSON.stringify({ query: `mutation { ${operation}(${passed}) ${selection(operation)} }` });
}

function selection(operation: string): string {
  return /^\[?(Boolean|String|ID)\b/.test(String(operations.get(operation)!.field.type)) ? '' : '{ __typename }';
}

async function send(body: object): Promise<Answer> {
  return await post(service.graphqlUrl, body, { token });
}

async function sendText(body: string): Promise<Answer> {
  return await postText(service.graphqlUrl, body, { token });
}

async function storedPrice(productId: string): Promise<{ price: string; writer: string }> {
  const [row] = await service.db.execute<{ price: string; writer: string }>(sql`
    select prices -> 0 ->> 'sellPrice' as price, xmin::text as writer from variant where product_id = ${productId}`);
  return row!;
}

describe('a narrowed token', () => {
  // docs/reliability-tests.md: 7
  it('returns its own scopes, and no operation gives it more', async () => {
    const { clientId, authorizedAppId, token } = await service.createApp();
    const owner = { db: service.db, merchantId: merchantOf(clientId)! };
    const scopes: AppScope[] = ['read_products', 'write_customers'];
    const narrowed = await issueAccessToken(owner, { authorizedAppId, scopes });
    const ask = async (token: string, query: string): Promise<Answer> =>
      await post(service.graphqlUrl, { query }, { token });
    const query = '{ me { id scope scopes } getAuthorizedApp { scope } }';
    const [own, full] = [await ask(narrowed, query), await ask(token, query)];
    expect(own.body.data!['me']).toMatchObject({
      scope: 'read_products,write_customers',
      scopes: ['READ_PRODUCTS', 'WRITE_CUSTOMERS'],
    });
    expect((full.body.data!['me'] as { scopes: string[] }).scopes).toHaveLength(appScopes.length);
    expect(own.body.data!['getAuthorizedApp'], 'what the merchant has granted to the app').toEqual(
      full.body.data!['getAuthorizedApp'],
    );
    expect(codes(await ask(narrowed, '{ listStockLocation { id } }'))).toEqual(['UNAUTHORIZED']);
  });
});
