import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codes } from '../support/post.ts';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';

const TIMEOUT_MS = 180_000;
const GIVEN_UP_AFTER_MS = 10_000;

let service: AttackedService;
beforeAll(async () => void (service = await startAttackedService()));
afterAll(async () => await service.stop());

describe('a document of many lines with many errors', () => {
  it.each([
    ['with a token', 980_000, true, 'GRAPHQL_VALIDATION_FAILED'],
    ['without a token', 60_000, false, 'LOGIN_REQUIRED'],
  ])('is refused as quickly as a short one, %s', async (who, lines, hasToken, code) => {
    const query = `query (${'\n'.repeat(lines)}${'$a: Int '.repeat(400)}) { me { authorizedAppId } }`;
    let codes: unknown[] = [];
    const report = await attack(`${lines} lines, ${who}`, service, async () => {
      const { errors } = (await (await send({ query }, hasToken)).json()) as { errors: Refusal[] };
      codes = [...new Set(errors.map(({ extensions }) => extensions.code))];
    });
    expect(codes).toEqual([code]);
    expectUnharmed(report);
  });
});

describe('documents with as many literals as allowed', () => {
  // Long numbers are different shapes, so that validation checks each of the rows.
  const row = (n: number, number: string) =>
    `{productId:"${n}",variantId:"${n}",price:{sellPrice:${number},buyPrice:${number}}}`;
  const documentOf = (seed: number, length: number) => {
    const rows = Array.from({ length }, (_, n) => row(n, `${seed}.${String(n).padStart(16, '1')}`));
    return `mutation{saveVariantPrices(input:{variantPriceInputs:[${rows.join('')}]})}`;
  };

  // docs/reliability-tests.md: 23
  it(
    'delay no other merchant when eight clients send them',
    async () => {
      const answered: unknown[] = [];
      const report = await attack('documents of 90,000 literals', service, async () => {
        const sendOne = async (client: number) =>
          answered.push(...codes(await service.attacker.send({ query: documentOf(client, 3_000) })));
        await Promise.all(Array.from({ length: 8 }, async (_, client) => await sendOne(client)));
      });
      expect([answered.length, new Set(answered)]).toEqual([8, new Set(['ARGUMENT_VALIDATION_ERROR'])]);
      expectUnharmed(report);
    },
    TIMEOUT_MS,
  );
});

describe('thousands of misspelt names', () => {
  // graphql-js prints the whole input in the error of each member, 0.4 s a request: more would exceed `send`'s time.
  const clients = 4;
  /** Names of 30 characters are compared with all names of the schema that are not much shorter or longer. */
  const misspelt = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}${n}`);
  const members = Object.fromEntries(misspelt('productVariantTypeInputLists', 4_000).map((name) => [name, 1]));
  const documents: [string, boolean, { query: string; variables?: object }][] = [
    ['fields', false, { query: `{ ${misspelt('listProductStockLocationPages', 990).join(' ')} }` }],
    [
      'types',
      false,
      {
        query: `{ listProduct { data { ${misspelt('...on ProductVariantTypeInputLists', 90)
          .map((spread) => `${spread} { id }`)
          .join(' ')} } } }`,
      },
    ],
    [
      'arguments',
      true,
      {
        query: `{ listProduct(${misspelt('variantStockLocationIds', 480)
          .map((name) => `${name}: 1`)
          .join(' ')}) { count } }`,
      },
    ],
    [
      'members of an input',
      true,
      {
        query: `mutation { saveProduct(input: {${misspelt('productVariantTypeInputs', 480)
          .map((name) => `${name}: 1`)
          .join(' ')}}) { id } }`,
      },
    ],
    [
      'members of a variable',
      true,
      {
        query: 'mutation ($input: ProductInput!) { saveProduct(input: $input) { id } }',
        variables: { input: { name: 'x', type: 'PHYSICAL', variants: [], ...members } },
      },
    ],
  ];

  // docs/reliability-tests.md: 28
  it.each(documents)('%s get suggestions, and delay no other merchant', async (name, hasToken, body) => {
    let first: Refusal[] = [];
    const report = await attack(`misspelt ${name}`, service, async () => {
      const ask = async (client: number) => {
        const query = `${body.query}${' '.repeat(client)}`;
        const response = await send({ ...body, query }, hasToken);
        const { errors = [] } = (await response.json()) as { errors?: Refusal[] };
        // Of many clients at once some are told to come later.
        if (errors.length > 1) first = errors;
      };
      await Promise.all(Array.from({ length: clients }, (_, client) => ask(client)));
    });
    const suggested = first.filter(({ extensions }) => extensions.suggestions !== undefined);
    expect(suggested.length).toBeGreaterThan(0);
    expect(suggested.length).toBeLessThanOrEqual(20);
    expectUnharmed(report);
  });
});

type Refusal = { message: string; extensions: { code: string; suggestions?: string[] } };

async function send(body: object, hasToken: boolean): Promise<Response> {
  return await fetch(service.graphqlUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(hasToken && { authorization: `Bearer ${service.attacker.token}` }),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(GIVEN_UP_AFTER_MS),
  });
}
