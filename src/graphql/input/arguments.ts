import {
  getNullableType,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  isObjectType,
} from 'graphql';
import { type Issue, MAX_ISSUES } from '../../errors.ts';
import { Pauses, type SlicedContext } from '../../limits/event-loop-slices.ts';
import { DEFAULT_LIST_SIZE } from '../../limits/list-size.ts';
import { codePoints } from '../../values/text.ts';

export const NOT_A_FLOAT =
  'must be a number that a 64-bit float can hold, neither as large as 1e400 nor as small as 1e-400';
/** `schema:lint` refuses a smaller `@length` here, so that the length of shorter strings need not be checked. */
export const SHORTEST_LENGTH_LIMIT = 100;
/** Shorter lists are checked and coerced at once. */
const LONG_LIST_SIZE = 50;

/**
 * Checks coerced arguments for what graphql-js accepts and we do not: strings and numbers that cannot be stored, long
 * lists. Members of the inputs of mutations are checked further by the operations, with the schemas that are generated
 * from the SDL.
 */
export function argumentIssues(
  ctx: SlicedContext,
  members: readonly GraphQLArgument[],
  args: Record<string, unknown>,
  rootType: 'Query' | 'Mutation',
): Issue[] | Promise<Issue[]> {
  const lengths = rootType === 'Query' ? 'all' : new Set(members);
  const check: Check = { path: [], issues: [], longLists: [], lengths };
  for (const argument of members) checkMember(check, argument, args);
  return check.longLists.length === 0 ? check.issues : checkLongLists(ctx, check);
}

/** Whether other requests are to be served between the entries of a list. */
export function isLongList(list: readonly unknown[]): boolean {
  return list.length >= LONG_LIST_SIZE;
}

/** Checks the entries of the long lists. Long lists within an entry are added to the end, and are checked after it. */
async function checkLongLists(ctx: SlicedContext, check: Check): Promise<Issue[]> {
  const pauses = new Pauses(ctx);
  for (const { entries, type, member, path } of check.longLists) {
    check.path = path;
    for (const [index, entry] of entries.entries()) {
      if (check.issues.length >= MAX_ISSUES) return check.issues;
      if (pauses.isDue()) await pauses.take();
      checkEntry(check, index, entry, { type, member });
    }
  }
  return check.issues;
}

/** The largest list size that any argument or input field of the schema allows. */
export function largestListSize(schema: GraphQLSchema): number {
  const members = Object.values(schema.getTypeMap()).flatMap((type): Member[] => {
    if (isInputObjectType(type)) return Object.values(type.getFields());
    return isObjectType(type) ? Object.values(type.getFields()).flatMap((field) => field.args) : [];
  });
  return Math.max(DEFAULT_LIST_SIZE, ...members.map(listSize));
}

type Member = GraphQLArgument | GraphQLInputField;
/** The type of a list's entries, and the argument or member that has the list. */
type OfList = { readonly type: GraphQLInputType; readonly member: Member };
type LongList = OfList & { readonly entries: readonly unknown[]; readonly path: Issue['path'] };
type Check = {
  path: Issue['path'];
  readonly issues: Issue[];
  /** Lists whose entries are checked after all other values, one by one. */
  readonly longLists: LongList[];
  /** The arguments and members whose `@length` is checked here. */
  readonly lengths: 'all' | ReadonlySet<Member>;
};

function checkMember(check: Check, member: Member, record: Record<string, unknown>): void {
  const value = record[member.name];
  if (value === undefined || value === null) return;
  check.path.push(member.name);
  checkValue(check, value, member.type, member);
  check.path.pop();
}

function checkValue(check: Check, value: unknown, type: GraphQLInputType, member: Member): void {
  if (value === null || value === undefined) return;
  const nullable = getNullableType(type);
  if (isListType(nullable)) checkList(check, value as unknown[], { type: nullable.ofType, member });
  else if (isInputObjectType(nullable)) checkRecord(check, value as Record<string, unknown>, nullable);
  else checkLeaf(check, value, member);
}

function checkList(check: Check, entries: readonly unknown[], of: OfList): void {
  const allowed = listSize(of.member);
  if (entries.length > allowed) return report(check, tooLong(allowed, entries.length));
  if (isLongList(entries)) return void check.longLists.push({ ...of, entries, path: [...check.path] });
  for (let index = 0; index < entries.length && check.issues.length < MAX_ISSUES; index++)
    checkEntry(check, index, entries[index], of);
}

function checkEntry(check: Check, index: number, entry: unknown, { type, member }: OfList): void {
  check.path.push(index);
  checkValue(check, entry, type, member);
  check.path.pop();
}

function checkRecord(check: Check, record: Record<string, unknown>, type: GraphQLInputObjectType): void {
  const fields = type.getFields();
  for (const name of Object.keys(record)) {
    const field = fields[name];
    if (field) checkMember(check, field, record);
  }
}

function checkLeaf(check: Check, value: unknown, member: Member): void {
  if (typeof value === 'number' && !Number.isFinite(value)) report(check, NOT_A_FLOAT);
  if (typeof value !== 'string') return;
  if (value.includes('\0')) report(check, 'must not contain the character U+0000');
  else if (!value.isWellFormed()) report(check, 'must not contain half of a surrogate pair');
  else if (value.length > SHORTEST_LENGTH_LIMIT) checkLength(check, value, member);
}

function checkLength(check: Check, value: string, member: Member): void {
  if (check.lengths !== 'all' && !check.lengths.has(member)) return;
  const allowed = maxOf(member, 'length');
  if (allowed === null || value.length <= allowed) return;
  const length = codePoints(value);
  if (length > allowed) report(check, `must have at most ${allowed} characters and has ${length}`);
}

function report(check: Check, message: string): void {
  if (check.issues.length < MAX_ISSUES) check.issues.push({ path: [...check.path], message });
}

export function tooLong(allowed: number, length: number): string {
  return `must have at most ${allowed} entries and has ${length}`;
}

function listSize(member: Member): number {
  return maxOf(member, 'listSize') ?? DEFAULT_LIST_SIZE;
}

/** The argument `max` of the directive, or null without the directive. */
function maxOf(member: Member, directiveName: 'length' | 'listSize'): number | null {
  const directive = member.astNode?.directives?.find(({ name }) => name.value === directiveName);
  const max = directive?.arguments?.find(({ name }) => name.value === 'max')?.value;
  return max?.kind === 'IntValue' ? Number(max.value) : null;
}
