import { existsSync, readFileSync } from 'node:fs';
import { getNamedType, isLeafType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolvers } from '../../src/resolvers.ts';
import { buildSchema, readSources } from '../../src/graphql/schema/schema.ts';
import { ladder, type Place, placesOf } from '../support/ladder.ts';
import { codes } from '../support/post.ts';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';

const LONGEST_MS = 50;
/** The shortest of these rounds counts, because compilation and garbage collection make others longer. */
const MAX_ROUNDS = 8;
const TIMEOUT_MS = 180_000;
const NS_PER_MS = 1_000_000;
const GIVEN_UP_AFTER_MS = 10_000;

const places = placesOf(buildSchema(readSources(), resolvers));

/** `rungs` and `directedRungs`: the numbers of fragments within 2,000 tokens and 50 directives. */
type Ladder = { name: string; rungs: number; directedRungs: number; directives: [string, string] };
const ladders: Ladder[] = [
  { name: '190 fragments', rungs: 190, directedRungs: 0, directives: ['', ''] },
  {
    name: '190 fragments, the first with directives',
    rungs: 190,
    directedRungs: 2,
    directives: ['@include(if:$yes)', '@skip(if:$no)'],
  },
  {
    name: '150 fragments, each spread with a directive',
    rungs: 150,
    directedRungs: 24,
    directives: ['@include(if:$yes)', '@skip(if:$no)'],
  },
  {
    name: '150 fragments, each spread once left out',
    rungs: 150,
    directedRungs: 24,
    directives: ['@include(if:$no)', '@skip(if:$no)'],
  },
];

/** Each place is tried with every second ladder, in another choice in each run. */
const drawn = Math.random() < 0.5 ? 0 : 1;

let service: AttackedService;
beforeAll(async () => void (service = await startAttackedService()));
afterAll(async () => await service.stop());

describe.each(ladders)('a ladder of $name', (steps) => {
  // docs/reliability-tests.md: 23
  // Each place is tried with or without a token, in another choice in each run.
  it(
    `at the root or below a field of the schema, with or without a token, takes under ${LONGEST_MS} ms`,
    async () => {
      const tried = places.filter((_, index) => (index + ladders.indexOf(steps)) % 2 === drawn);
      const slow: string[] = [];
      const report = await attack(`${tried.length} ladders of ${steps.name}`, service, async () => {
        for (const place of tried) {
          const hasToken = Math.random() < 0.5;
          const ms = await quickest(place, steps, hasToken);
          if (ms >= LONGEST_MS)
            slow.push(`${place.name}, ${hasToken ? 'with' : 'without'} a token: ${Math.round(ms)} ms`);
        }
      });
      expect(tried.length).toBeGreaterThan(75);
      expect(slow).toEqual([]);
      expectUnharmed(report);
    },
    TIMEOUT_MS,
  );
});

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
        const sendAll = async (client: number) => {
          for (let n = 0; n < 3; n++) {
            answered.push(...codes(await service.attacker.send({ query: documentOf(client * 100 + n, 3_000) })));
          }
        };
        await Promise.all(Array.from({ length: 8 }, async (_, client) => await sendAll(client)));
      });
      expect([answered.length, new Set(answered)]).toEqual([24, new Set(['ARGUMENT_VALIDATION_ERROR'])]);
      expectUnharmed(report);
    },
    TIMEOUT_MS,
  );
});

describe('thousands of misspelt names', () => {
  // graphql-js prints the whole input in the error of each member, 0.4 s a request: more would exceed `send`'s time.
  const clients = 4;
  const rounds = 3;
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
      const askOnAndOn = async (client: number) => {
        for (let round = 0; round < rounds; round++) {
          const query = `${body.query}${' '.repeat(client * rounds + round)}`;
          const response = await send({ ...body, query }, hasToken);
          const { errors = [] } = (await response.json()) as { errors?: Refusal[] };
          // Of many clients at once some are told to come later.
          if (errors.length > 1) first = errors;
        }
      };
      await Promise.all(Array.from({ length: clients }, (_, client) => askOnAndOn(client)));
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

async function quickest(place: Place, steps: Ladder, hasToken: boolean): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < MAX_ROUNDS && best >= LONGEST_MS; round++)
    best = Math.min(best, await time(place, steps, hasToken, round));
  return best;
}

/**
 * The time until the answer, or the CPU time of the service's main thread if that is less, because others use the
 * machine too. Adds another space each time, so that no document is in the cache.
 */
async function time(
  place: Place,
  { rungs, directives, directedRungs }: Ladder,
  hasToken: boolean,
  round: number,
): Promise<number> {
  const hasDirectives = directedRungs > 0;
  const declared = ['$yes: Boolean!', '$no: Boolean!'].filter((variable) =>
    directives.join().includes(variable.split(':')[0]!),
  );
  const query = `${place.document('{...F0}', declared)} ${ladder(place.type.name, rungs, leafOf(place), directives, directedRungs)}${' '.repeat(round)}`;
  const variables = { ...place.variables, ...(hasDirectives && { yes: true, no: false }) };
  const start = { atMs: performance.now(), workedMs: mainThreadMs() };
  const response = await send({ query, variables }, hasToken);
  const { errors } = (await response.json()) as { errors?: Refusal[] };
  const ms = Math.min(performance.now() - start.atMs, mainThreadMs() - start.workedMs);
  expect(errors?.filter(({ extensions }) => /GRAPHQL|INTERNAL/.test(extensions.code)) ?? [], place.name).toEqual([]);
  return ms;
}

/** `__typename`, and a scalar field if the type has one. */
function leafOf({ type }: Place): string {
  const leaf = Object.values(type.getFields()).find(
    (field) => isLeafType(getNamedType(field.type)) && field.args.every(({ defaultValue }) => defaultValue),
  );
  return `__typename ${type.name === 'Query' || type.name === 'Mutation' ? '' : (leaf?.name ?? '')}`;
}

/** CPU time of the thread that executes JavaScript; wall-clock time if the system does not provide it. */
function mainThreadMs(): number {
  const { pid } = service.process.child;
  const path = `/proc/${pid}/task/${pid}/schedstat`;
  return existsSync(path) ? Number(readFileSync(path, 'utf8').split(' ')[0]) / NS_PER_MS : performance.now();
}
