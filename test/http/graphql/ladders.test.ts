import { existsSync, readFileSync } from 'node:fs';
import { getNamedType, isLeafType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSchema, readSources } from '../../../src/graphql/schema/schema.ts';
import { resolvers } from '../../../src/resolvers.ts';
import { ladder, type Place, placesOf } from '../../support/ladder.ts';
import { type Merchant, type OwnService, startOwnService } from '../../support/own-service.ts';

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

/** Each place is tried with one of the ladders, in another choice in each run. */
const drawn = Math.floor(Math.random() * ladders.length);

let service: OwnService;
let merchant: Merchant;
beforeAll(async () => {
  service = await startOwnService();
  merchant = await service.createMerchant();
});
afterAll(async () => await service.stop());

describe.each(ladders)('a ladder of $name', (steps) => {
  // docs/reliability-tests.md: 23
  // Each place is tried with or without a token, in another choice in each run.
  it(
    `at the root or below a field of the schema, with or without a token, takes under ${LONGEST_MS} ms`,
    async () => {
      const tried = places.filter((_, index) => (index + ladders.indexOf(steps)) % ladders.length === drawn);
      const slow: string[] = [];
      for (const place of tried) {
        const hasToken = Math.random() < 0.5;
        const ms = await quickest(place, steps, hasToken);
        if (ms >= LONGEST_MS)
          slow.push(`${place.name}, ${hasToken ? 'with' : 'without'} a token: ${Math.round(ms)} ms`);
      }
      console.log(`${tried.length} ladders of ${steps.name}`);
      expect(tried.length).toBeGreaterThan(37);
      expect(slow).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

type Refusal = { message: string; extensions: { code: string; suggestions?: string[] } };

async function send(body: object, hasToken: boolean): Promise<Response> {
  return await fetch(service.graphqlUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(hasToken && { authorization: `Bearer ${merchant.token}` }),
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
