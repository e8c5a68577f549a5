import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { CommerceError } from '../src/errors.ts';
import { distinct, list, withElement } from '../src/field-input.ts';
import { parseInputWithList, parseListInput } from '../src/list-input.ts';
import { EventLoopSlices } from '../src/limits/event-loop-slices.ts';

const entry = z.object({ id: z.string(), count: z.number().transform((count) => count * 2) });
const entries = list(entry).superRefine(distinct('id'));
const schema = {
  member: 'entries',
  entry,
  input: z.object({ name: z.string(), entries: withElement(entries, z.custom<z.output<typeof entry>>()).optional() }),
} as const;
const parse = async (input: object, slices = new EventLoopSlices()) =>
  await parseInputWithList({ slices }, schema, input, ['input']);
const issuesOf = async (input: object) =>
  await parse(input).then(
    () => [],
    (error: CommerceError) => (error.extensions['issues'] as { path: unknown[] }[]).map(({ path }) => path.join('.')),
  );

describe('an input with a list', () => {
  it('is parsed with its entries, once each', async () => {
    const entries = [{ id: 'a', count: 1 }];
    expect(await parse({ name: 'x', entries })).toEqual({ name: 'x', entries: [{ id: 'a', count: 2 }] });
    expect(await parse({ name: 'x' })).toEqual({ name: 'x' });
  });

  it('has the mistakes of its members and of its entries reported together', async () => {
    const entries = [
      { id: 'a', count: 1 },
      { id: 'b', count: '2' },
      { id: 3, count: 3 },
    ];
    expect(await issuesOf({ name: 1, entries })).toEqual(['input.name', 'input.entries.1.count', 'input.entries.2.id']);
  });

  it('has the rules of the whole list checked if its entries are valid', async () => {
    const same = { id: 'a', count: 1 };
    expect(await issuesOf({ name: 1, entries: [same, same] })).toEqual(['input.name', 'input.entries.1.id']);
  });

  it('is checked until 1,001 mistakes are found', async () => {
    let read = 0;
    const counted = z.object({
      id: z.string().transform((id, context) => {
        read++;
        context.addIssue('is refused');
        return id;
      }),
    });
    const sent = Array(2_000).fill({ id: '1' });
    await expect(parseListInput({}, { entry: counted, list: list(counted) }, sent)).rejects.toThrow('is refused');
    expect(read).toBe(1_001);
  });
});

describe('a list of zod', () => {
  it('stops after 1,001 mistakes, also those of lists in it, and its own rules are not checked then', () => {
    let read = 0;
    const number = z.number().transform((value, context) => {
      read++;
      if (value < 0) context.addIssue('must not be negative');
      return value;
    });
    const never = () => expect.unreachable();
    const { error } = list(list(number).superRefine(never))
      .superRefine(never)
      .safeParse(Array(100).fill(Array(40).fill(-1)));
    expect(error!.issues.slice(38, 42).map(({ path }) => path)).toEqual([
      [0, 38],
      [0, 39],
      [1, 0],
      [1, 1],
    ]);
    expect(read).toBe(26 * 40);
  });

  it('reads all entries of a valid list, and refuses what is none', () => {
    const texts = Array.from({ length: 100 }, (_, n) => String(n));
    expect(list(z.string()).parse(texts)).toEqual(texts);
    expect(list(z.string()).safeParse('a').success).toBe(false);
    expect(list(z.string(), 2).safeParse(texts).error!.issues).toMatchObject([
      { message: 'must have at most 2 entries' },
    ]);
  });
});
