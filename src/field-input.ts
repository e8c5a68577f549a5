import { z } from 'zod';
import { AMOUNT_RULE, asAmount, asMeasure, MEASURE_RULE, NUMBER_LIMIT } from './values/decimal.ts';
import { hasTooManyMarks, isLonger, MAX_MARKS, normalizedName } from './values/text.ts';
import { timestamptzText } from './values/timestamp.ts';
import { argumentInvalid, type InputPath, type Issue, MAX_FOUND_ISSUES } from './errors.ts';

/** The longest texts, in code points. The SDL documents the same limits. */
export const MAX_NAME_LENGTH = 255;
export const MAX_TEXT_LENGTH = 65_536;
export const MAX_LOCALE_LENGTH = 35;
/** Code points that NFC replaces by one, at most (UAX 15, table 8). */
export const MAX_COMPOSED = 4;

/**
 * Checks the rules of the SDL and those beside it, and returns the input as it is stored. `path` is its position in the
 * arguments.
 */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown, path: InputPath = ['input']): T {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw argumentInvalid(issuesOf(result.error, path));
}

/** The mistakes that zod has found in the value at `path`. */
export function issuesOf(error: z.ZodError | undefined, path: InputPath): Issue[] {
  const issues = error?.issues ?? [];
  return issues.map((issue) => ({ path: [...path, ...(issue.path as InputPath)], message: issue.message }));
}

/** Postgres cannot store NUL, and the driver would silently replace lone surrogates. Null if the text can be stored. */
function unstorable(text: string): string | null {
  if (!text.isWellFormed() || text.includes('\0')) return 'must not contain NUL or lone surrogates';
  return hasTooManyMarks(text) ? `must not contain more than ${MAX_MARKS} combining marks in a row` : null;
}

const MUST_NOT_BE_NULL = 'must not be null: leave it out to keep the stored value';

// One refinement instead of several chained ones, for speed: a bulk request has ten thousand strings.
export function text(max = MAX_TEXT_LENGTH, min = 0) {
  return z.string().superRefine((value, context) => {
    const message = unstorable(value);
    if (message !== null) context.addIssue({ code: 'custom', message, continue: false });
    else if (value.length < min) context.addIssue('must not be empty');
    else if (isLonger(value, max)) context.addIssue(tooLong(max));
  });
}

/** A text that is stored like a name, but may be empty. */
export function trimmed(max = MAX_NAME_LENGTH) {
  return z.string().transform((value, context) => trim(value, max, context));
}

export function name(max = MAX_NAME_LENGTH) {
  return z.string().transform((value, context) => {
    const trimmed = trim(value, max, context);
    if (trimmed === '') context.addIssue('must not be empty');
    return trimmed;
  });
}

function trim(value: string, max: number, context: z.RefinementCtx): string {
  // A text that is too long in any case is not normalized: megabytes would take seconds.
  const message = unstorable(value) ?? (isLonger(value.trim(), MAX_COMPOSED * max) ? tooLong(max) : null);
  if (message !== null) {
    context.addIssue(message);
    return z.NEVER;
  }
  const trimmed = normalizedName(value);
  if (isLonger(trimmed, max)) context.addIssue(tooLong(max));
  return trimmed;
}

function tooLong(max: number): string {
  return `must have at most ${max} characters`;
}

/** Any string: an id of no record, or of wrong form, is reported as NOT_FOUND. */
export function id() {
  return z.string();
}

/** The id of the record to update. Without it, or with null, a record is created. */
export function ownId() {
  return z
    .string()
    .nullish()
    .transform((value) => value ?? undefined);
}

/** Money, counts and quantities. Limits are given if the SDL documents others. */
export function amount({ min = 0, max = NUMBER_LIMIT } = {}) {
  return decimal({ min, max, round: asAmount, rule: AMOUNT_RULE });
}

/** Weights and other sizes. */
export function measure() {
  return decimal({ min: 0, max: NUMBER_LIMIT, round: asMeasure, rule: MEASURE_RULE });
}

/** A measure that may be negative, such as a position or a ratio. */
export function number() {
  return decimal({ min: -NUMBER_LIMIT, max: NUMBER_LIMIT, round: asMeasure, rule: MEASURE_RULE });
}

type Decimal = { min: number; max: number; round: (value: number) => number | null; rule: string };

function decimal({ min, max, round, rule }: Decimal) {
  return z.number({ error: 'must be a finite number' }).transform((value, context) => {
    const rounded = round(value);
    if (rounded !== null && rounded >= min && rounded <= max) return rounded;
    context.addIssue(
      rounded === null ? rule : outside(rounded < min ? 'at least' : 'at most', rounded < min ? min : max),
    );
    return z.NEVER;
  });
}

function outside(side: string, limit: number): string {
  return limit === 0 ? 'must not be negative' : `must be ${side} ${limit}`;
}

/** Milliseconds of the Timestamp scalar, converted to an ISO 8601 time for the database. */
export function instant() {
  return z.number().transform((value, context) => {
    const text = timestamptzText(value);
    if (text !== null) return text;
    context.addIssue('must be milliseconds since the epoch, in the years 1 to 9999');
    return z.NEVER;
  });
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** A currency of ISO 4217, by its code. */
export function currencyCode() {
  return z.string().refine((code) => CURRENCIES.has(code), 'must be a currency of ISO 4217, as in USD');
}

/** Refuses entries with equal values of the member. Entries without the member are not compared. */
export function distinct(member: string) {
  return (list: readonly object[], context: z.RefinementCtx): void => {
    if (list.length < 2) return;
    const seen = new Set<unknown>();
    for (const [index, entry] of list.entries()) {
      const value = (entry as Record<string, unknown>)[member];
      if (value === undefined || value === null) continue;
      if (seen.has(value)) context.addIssue({ code: 'custom', path: [index, member], message: 'must not occur twice' });
      seen.add(value);
    }
  };
}

/** A member that may be left out, but not cleared. */
export function notNull<Schema extends z.ZodType>(schema: Schema) {
  return z
    .custom((value) => value !== null, MUST_NOT_BE_NULL)
    .pipe(schema.optional())
    .optional() as unknown as z.ZodOptional<Schema>;
}

/**
 * An array of zod that stops after MAX_FOUND_ISSUES mistakes. Zod's own checks all entries: with half a million mistakes it
 * blocks the event loop for seconds.
 */
const LimitedArray = z.core.$constructor<z.ZodArray>('LimitedArray', (list, def) => {
  z.ZodArray.init(list, def);
  const internals = list._zod;
  const parseOther = internals.parse.bind(internals);
  internals.parse = (payload, ctx) => {
    if (!Array.isArray(payload.value)) return parseOther(payload, ctx);
    const sent: unknown[] = payload.value;
    const entries: unknown[] = [];
    for (const [index, value] of sent.entries()) {
      if (payload.issues.length >= MAX_FOUND_ISSUES) break;
      const result = def.element._zod.run({ value, issues: [] }, ctx);
      if (result instanceof Promise) throw new z.core.$ZodAsyncError();
      payload.issues.push(...z.core.util.prefixIssues(index, result.issues));
      entries.push(result.value);
    }
    // Rules about the whole list, such as its size, are not checked if reading has stopped early.
    payload.aborted = entries.length < sent.length;
    payload.value = entries;
    return payload;
  };
});

/**
 * A list whose entries are checked until MAX_FOUND_ISSUES mistakes are found. `max` is the largest number of entries: it is
 * checked here too, because the worker, commands and imports send no GraphQL requests.
 */
export function list<Element extends z.ZodType>(element: Element, max?: number): z.ZodArray<Element> {
  const entries = new LimitedArray({ type: 'array', element }) as unknown as z.ZodArray<Element>;
  return max === undefined ? entries : entries.max(max, tooManyEntries(max));
}

export function tooManyEntries(max: number): string {
  return `must have at most ${max} entries`;
}

/** The list with its rules, and with other entries. */
export function withElement<Element extends z.ZodType>(list: z.ZodArray, element: Element): z.ZodArray<Element> {
  return list.clone({ ...list.def, element }) as z.ZodArray<Element>;
}

type WithoutUndefined<T> = { [Member in keyof T as undefined extends T[Member] ? never : Member]: T[Member] } & {
  [Member in keyof T as undefined extends T[Member] ? Member : never]?: Exclude<T[Member], undefined>;
};

/** Leaves out undefined members: the client did not send them, so they keep their stored values. */
export function withoutUndefined<T extends object>(input: T): WithoutUndefined<T> {
  const members: Record<string, unknown> = {};
  for (const member of Object.keys(input)) {
    const value = (input as Record<string, unknown>)[member];
    if (value !== undefined) members[member] = value;
  }
  return members as WithoutUndefined<T>;
}
