import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, codes } from '../support/post.ts';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';

const KEYS = 6;
const CLIENTS = 16;
const REPEATED_MS = 3_000;
/** Letters of two bytes. With 30 aliases the response has 3.9 MB; at most 4 MiB are stored. */
const LETTERS = 65_000;
const NAMES = 30;

let service: AttackedService;
beforeAll(async () => void (service = await startAttackedService()));
afterAll(() => service.stop());

// docs/reliability-tests.md: 26
it('the longest stored responses, repeated by sixteen clients, delay no other merchant', async () => {
  const { attacker } = service;
  const firsts: Answer[] = [];
  for (let key = 0; key < KEYS; key++) firsts.push(await send(key));
  expect(firsts.flatMap(codes)).toEqual([]);
  const repeated: Answer[] = [];
  const memoryMib = service.memoryMib();
  const report = await attack(`${KEYS} responses of 4 MiB repeated by ${CLIENTS} clients`, service, async () => {
    const endsAtMs = performance.now() + REPEATED_MS;
    const repeat = async (client: number): Promise<void> => {
      for (let n = client; performance.now() < endsAtMs; n++) repeated.push(await send(n % KEYS));
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => repeat(client)));
  });
  console.log(`${repeated.length} repeats, memory +${service.memoryMib() - memoryMib} MiB`);
  for (const { status, headers, body } of repeated) {
    expect([status, headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(firsts.some((first) => JSON.stringify(first.body) === JSON.stringify(body))).toBe(true);
  }
  expectUnharmed(report);

  async function send(key: number): Promise<Answer> {
    const names = Array.from({ length: NAMES }, (_, index) => `a${index}: description`).join(' ');
    const query = `mutation ($input: CategoryInput!) { saveCategory(input: $input) { ${names} } }`;
    const input = { name: `Category ${key}`, description: description(key) };
    return await attacker.send({ query, variables: { input } }, { 'idempotency-key': `key-${key}` });
  }
});

/** Letters without repetitions, so that PostgreSQL cannot compress them much. */
function description(seed: number): string {
  let state = seed + 1;
  return String.fromCharCode(
    ...Array.from({ length: LETTERS }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return 0x430 + (state % 32);
    }),
  );
}
