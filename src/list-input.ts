import type { z } from 'zod';
import { argumentInvalid, type InputPath, type Issue, MAX_FOUND_ISSUES } from './errors.ts';
import { issuesOf, parseInput } from './field-input.ts';
import { mapInSlices, type SlicedContext } from './limits/event-loop-slices.ts';

/** The schemas of a list, and of one entry. */
type ListSchema<Entry> = { entry: z.ZodType<Entry>; list: z.ZodType<Entry[]> };

/**
 * Like `parseInput`, for a list that may be long: other requests are served between its entries. The rules of the whole
 * list are checked if each entry is valid.
 */
export async function parseListInput<Entry>(
  ctx: SlicedContext,
  { entry, list }: ListSchema<Entry>,
  input: readonly unknown[],
): Promise<Entry[]> {
  const { entries, issues } = await parseEntries(ctx, entry, input, ['input']);
  if (issues.length > 0) throw argumentInvalid(issues);
  return parseInput(list, entries);
}

/** The schemas of one entry of `member`, and of the whole input with entries that are parsed. */
export type InputWithList<Input> = { member: keyof Input & string; entry: z.ZodType; input: z.ZodType<Input> };

/**
 * Like `parseInput`, for an input of which one list may be long: other requests are served between its entries. If entries
 * are invalid, the errors of other members are thrown together with theirs.
 */
export async function parseInputWithList<Input>(
  ctx: SlicedContext,
  schema: InputWithList<Input>,
  input: object,
  path: InputPath,
): Promise<Input> {
  const { member } = schema;
  const sent = (input as Record<string, unknown>)[member];
  if (!Array.isArray(sent)) return parseInput(schema.input, input, path);
  const { entries, issues } = await parseEntries(ctx, schema.entry, sent, [...path, member]);
  if (issues.length === 0) return parseInput(schema.input, { ...input, [member]: entries }, path);
  const { error } = schema.input.safeParse({ ...input, [member]: [] });
  const others = issuesOf(error, path).filter((issue) => issue.path[path.length] !== member);
  throw argumentInvalid([...others, ...issues]);
}

async function parseEntries<Entry>(
  ctx: SlicedContext,
  schema: z.ZodType<Entry>,
  list: readonly unknown[],
  path: InputPath,
): Promise<{ entries: Entry[]; issues: Issue[] }> {
  const issues: Issue[] = [];
  const entries = await mapInSlices(ctx, list, (entry, index) => {
    if (issues.length >= MAX_FOUND_ISSUES) return entry as Entry;
    const { data, error } = schema.safeParse(entry);
    issues.push(...issuesOf(error, [...path, index]));
    return data as Entry;
  });
  return { entries, issues };
}
