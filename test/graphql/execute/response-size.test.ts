import { makeExecutableSchema } from '@graphql-tools/schema';
import fc from 'fast-check';
import { execute as executePlainly, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { JsonText } from '../../../src/values/json.ts';
import { Timestamp } from '../../../src/graphql/schema/scalars.ts';
import { ResponseSize } from '../../../src/limits/response-size.ts';
import { createExecute } from '../../support/execute.ts';

const KIB = 1024;
/** Bytes around each root field and the whole answer. */
const ENVELOPE_BYTES = 64;
/** More than what is written at once, for texts with escape sequences too. */
const BYTES_IN_PIECES = KIB * KIB;

const typeDefs = `
  scalar Timestamp
  enum Kind { SHORT LONG }
  type Thing { id: ID! text: String texts: [String!] number: Float count: Int flag: Boolean kind: Kind at: Timestamp parts: [Thing!] }
  type Query { thing: Thing! list: [Thing!]! }
  type Mutation { save: Thing! }
`;

type Thing = {
  id: string;
  text: string | null;
  texts: string[];
  number: number;
  count: number;
  flag: boolean;
  kind: string;
  at: number;
  parts?: Thing[];
};

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constant('Ж'.repeat(300)),
  fc.constant('\u0001"\\\n\u2028🙂'),
);
const plainThing = fc.record({
  id: fc.uuid(),
  text: fc.option(text),
  texts: fc.array(text, { maxLength: 4 }),
  number: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(-1.2345678901234567e100)),
  count: fc.integer(),
  flag: fc.boolean(),
  kind: fc.constantFrom('SHORT', 'LONG'),
  at: fc.integer({ min: 0, max: 2e12 }),
});
const thing: fc.Arbitrary<Thing> = fc
  .tuple(plainThing, fc.array(plainThing, { maxLength: 5 }))
  .map(([one, parts]) => ({ ...one, parts }));

const leaves = 'id text texts number count flag kind at __typename';
const aliased = `${leaves} again: text more: texts other: number parts { ${leaves} thrice: text }`;

function executorOf(value: Thing, repeated = 2) {
  const resolvers = {
    Timestamp,
    Query: { thing: () => value, list: () => Array.from({ length: repeated }, () => value) },
    Mutation: { save: () => value },
  };
  const schema = makeExecutableSchema({ typeDefs, resolvers });
  const execute = createExecute(schema);
  return {
    plain: async (query: string) => JSON.stringify((await executePlainly({ schema, document: parse(query) })).data),
    under: async (query: string, answer: ResponseSize) =>
      await execute({ document: parse(query), contextValue: { responseSize: answer } }),
  };
}

class CountedSize extends ResponseSize {
  writtenBytes = 0;

  override write(bytes: number): void {
    this.writtenBytes += bytes;
    super.write(bytes);
  }
}

describe('the bytes of an answer', () => {
  it('are counted as they are written', async () => {
    await fc.assert(
      fc.asyncProperty(
        thing,
        fc.constantFrom(
          `{ thing { ${aliased} } }`,
          `{ list { ${aliased} } }`,
          `{ a: thing { ${aliased} } b: list { id text } }`,
        ),
        async (value, query) => {
          const { plain, under } = executorOf(value);
          const bytes = Buffer.byteLength(await plain(query));
          const answer = new CountedSize(bytes + ENVELOPE_BYTES);
          const { data } = await under(query, answer);
          expect(data).toBeInstanceOf(JsonText);
          expect(Buffer.byteLength((data as JsonText).text)).toBe(bytes);
          expect(Math.abs(answer.writtenBytes - bytes)).toBeLessThan(ENVELOPE_BYTES);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('are refused past the limit, with their number', async () => {
    await fc.assert(
      fc.asyncProperty(thing, async (value) => {
        const { plain, under } = executorOf(value);
        const query = `{ list { ${aliased} } }`;
        const bytes = Buffer.byteLength(await plain(query));
        const { data, errors } = await under(query, new ResponseSize(bytes - ENVELOPE_BYTES));
        expect(data).toBeNull();
        const [, told] = /would have (\d+) bytes/.exec(errors![0]!.message)!;
        expect(Math.abs(Number(told) - bytes)).toBeLessThan(ENVELOPE_BYTES);
      }),
      { numRuns: 100 },
    );
  });

  it('are the same when the text is written in pieces', async () => {
    await fc.assert(
      fc.asyncProperty(thing, async (value) => {
        const bytesOfOne = Buffer.byteLength(await executorOf(value, 1).plain(`{ list { ${aliased} } }`));
        const { plain, under } = executorOf(value, Math.ceil(BYTES_IN_PIECES / bytesOfOne));
        const query = `{ list { ${aliased} nothing: parts { id } } }`;
        const expected = await plain(query);
        const bytes = Buffer.byteLength(expected);
        const answer = new CountedSize(2 * bytes);
        const { data } = await under(query, answer);
        expect((data as JsonText).text === expected).toBe(true);
        expect(Math.abs(answer.writtenBytes - bytes)).toBeLessThan(ENVELOPE_BYTES);
      }),
      { numRuns: 15 },
    );
  });

  it('are written without blocking the event loop', async () => {
    const value: Thing = { id: '1', text: 'x', texts: [], number: 1, count: 1, flag: true, kind: 'LONG', at: 1 };
    const { under } = executorOf({ ...value, parts: Array.from({ length: 100 }, () => value) }, 500);
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await under(
      `{ list { parts { ${leaves} ${Array.from({ length: 10 }, (_, index) => `a${index}: count`).join(' ')} } } }`,
      new ResponseSize(64 * KIB * KIB),
    );
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  it('count each alias, without the text being put together', async () => {
    const value: Thing = {
      id: '1',
      text: 'Ж'.repeat(500 * KIB),
      texts: [],
      number: 1,
      count: 1,
      flag: true,
      kind: 'LONG',
      at: 1,
    };
    const { under } = executorOf(value);
    const names = Array.from({ length: 1_000 }, (_, index) => `a${index}: text`).join(' ');
    const before = process.memoryUsage().rss;
    const { errors } = await under(`{ thing { ${names} } }`, new ResponseSize(16 * KIB * KIB));
    expect(errors![0]!.message).toContain('would have 1024');
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * KIB * KIB);
  });

  it('of several root fields are one answer', async () => {
    const { plain, under } = executorOf({
      id: '1',
      text: 'x'.repeat(1_000),
      texts: [],
      number: 1,
      count: 1,
      flag: true,
      kind: 'LONG',
      at: 1,
    });
    const query = '{ a: thing { text } b: thing { text } c: list { text } }';
    const bytes = Buffer.byteLength(await plain(query));
    expect((await under(query, new ResponseSize(bytes + ENVELOPE_BYTES))).errors).toBeUndefined();
    expect((await under(query, new ResponseSize(bytes - ENVELOPE_BYTES))).errors).toHaveLength(1);
  });

  it('of a mutation include its response key before it commits', async () => {
    const saved = { id: '1' };
    let isCommitted = false;
    const save = (_: unknown, __: object, { beforeCommit }: Pick<Context, 'beforeCommit'>) => {
      beforeCommit!(saved);
      isCommitted = true;
      return saved;
    };
    const execute = createExecute(makeExecutableSchema({ typeDefs, resolvers: { Timestamp, Mutation: { save } } }));
    const document = parse(`mutation { ${'k'.repeat(KIB)}: save { id } }`);
    const { errors } = await execute({ document, contextValue: { responseSize: new ResponseSize(KIB) } });
    expect([errors?.[0]?.message, isCommitted]).toEqual([expect.stringContaining('would have 1038'), false]);
  });

  it('of a large answer need a slot, and those of a small one do not', async () => {
    let taken = 0;
    const noPlace = (): boolean => {
      taken += 1;
      return false;
    };
    const { under } = executorOf({
      id: '1',
      text: 'x'.repeat(600 * KIB),
      texts: [],
      number: 1,
      count: 1,
      flag: true,
      kind: 'LONG',
      at: 1,
    });
    const small = new ResponseSize(16 * KIB * KIB, noPlace);
    expect((await under('{ thing { text } }', small)).errors).toBeUndefined();
    expect([taken, small.lacksSlot]).toEqual([0, false]);
    const large = new ResponseSize(16 * KIB * KIB, noPlace);
    await under('{ thing { text again: text } }', large);
    expect([taken, large.lacksSlot]).toEqual([1, true]);
  });

  it('of a statement that was not sent yet need a slot, also if one is free by then', () => {
    const answer = new ResponseSize(4 * KIB * KIB, () => true);
    expect(answer.maxSentBytes).toBe(KIB * KIB);
    expect(() => answer.read(2 * KIB * KIB, answer.maxSentBytes)).toThrow('Too many large answers');
    expect(answer.lacksSlot).toBe(true);
    const tooLarge = new ResponseSize(4 * KIB * KIB, () => true);
    expect(() => tooLarge.read(5 * KIB * KIB, tooLarge.maxSentBytes)).toThrow(`would have ${5 * KIB * KIB} bytes`);
    expect(tooLarge.lacksSlot).toBe(false);
    const placed = new ResponseSize(4 * KIB * KIB);
    expect(placed.maxSentBytes).toBe(4 * KIB * KIB);
    expect(() => placed.read(2 * KIB * KIB, placed.maxSentBytes)).not.toThrow();
  });
});
