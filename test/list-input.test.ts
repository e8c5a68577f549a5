import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { CommerceError } from '../src/errors.ts';
import { distinct, withElement } from '../src/field-input.ts';
import { parseInputWithList } from '../src/list-input.ts';
import { EventLoopSlices } from '../src/limits/event-loop-slices.ts';

const entry = z.object({ id: z.string(), count: z.number().transform((count) => count * 2) });
const list = z.array(entry).superRefine(distinct('id'));
const schema = {
  member: 'entries',
  entry,
  input: z.object({ name: z.string(), entries: withElement(list, z.custom<z.output<typeof entry>>()).optional() }),
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
});
