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
import type { Issue } from '../../errors.ts';

/** Entries a list may have where the SDL does not say otherwise with `@listSize`. */
const defaultListSize = 1_000;
export const NOT_IN_FLOAT =
  'must be a number that a 64-bit float can hold, neither as large as 1e400 nor as small as 1e-400';
/** No `@length` of the SDL is shorter, so shorter texts are not looked at. */
const shortestLimit = 100;
/** Issues reported for one field. */
const maxIssues = 50;

/** What graphql-js lets through and no operation can use: texts and numbers that cannot be stored, lists too long. */
export function argumentIssues(members: readonly GraphQLArgument[], args: Record<string, unknown>): Issue[] {
  const check: Check = { path: [], issues: [] };
  for (const argument of members) checkMember(check, argument, args);
  return check.issues;
}

/**
 * Lists and numbers in variables that no argument would take. graphql-js would first coerce each entry of a list, and
 * names Infinity where the client sent digits, so this comes before execution; which argument a variable is for is not
 * known here.
 */
export function variableIssues(variables: Record<string, unknown>, longest: number): Issue[] {
  const issues: Issue[] = [];
  const open: Place[] = [{ value: variables }];
  for (let place = open.pop(); place && issues.length < maxIssues; place = open.pop()) {
    const { value } = place;
    if (Array.isArray(value) && value.length > longest) {
      issues.push({ path: pathOf(place), message: tooLong(longest, value.length) });
      continue;
    }
    if (Array.isArray(value))
      value.forEach((member, index) => note(open, issues, { within: place, key: index }, member));
    else
      for (const key of Object.keys(value))
        note(open, issues, { within: place, key }, (value as Record<string, unknown>)[key]);
  }
  return issues;
}

function note(open: Place[], issues: Issue[], at: At, value: unknown): void {
  if (typeof value === 'object' && value !== null) open.push({ ...at, value });
  else if (typeof value === 'number' && !Number.isFinite(value) && issues.length < maxIssues)
    issues.push({ path: pathOf(at), message: NOT_IN_FLOAT });
}

/** The size of the longest list that the schema takes anywhere. */
export function longestList(schema: GraphQLSchema): number {
  const members = Object.values(schema.getTypeMap()).flatMap((type): Member[] => {
    if (isInputObjectType(type)) return Object.values(type.getFields());
    return isObjectType(type) ? Object.values(type.getFields()).flatMap((field) => field.args) : [];
  });
  return Math.max(defaultListSize, ...members.map(listSize));
}

/** A value and where it is; a path of its own for each would cost as much as the depth times the size. */
type Place = At & { value: object };
type At = { within?: Place; key?: string | number };

function pathOf(place: At): Issue['path'] {
  const path: Issue['path'] = [];
  for (let at: At | undefined = place; at?.key !== undefined; at = at.within) path.push(at.key);
  return path.reverse();
}

type Member = GraphQLArgument | GraphQLInputField;
type Check = { path: Issue['path']; issues: Issue[] };

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
  if (isListType(nullable)) checkList(check, value as unknown[], nullable.ofType, member);
  else if (isInputObjectType(nullable)) checkRecord(check, value as Record<string, unknown>, nullable);
  else checkLeaf(check, value, member);
}

function checkList(check: Check, values: unknown[], type: GraphQLInputType, member: Member): void {
  const allowed = listSize(member);
  if (values.length > allowed) return report(check, tooLong(allowed, values.length));
  for (let index = 0; index < values.length && check.issues.length < maxIssues; index++) {
    check.path.push(index);
    checkValue(check, values[index], type, member);
    check.path.pop();
  }
}

function checkRecord(check: Check, record: Record<string, unknown>, type: GraphQLInputObjectType): void {
  const fields = type.getFields();
  for (const name of Object.keys(record)) {
    const field = fields[name];
    if (field) checkMember(check, field, record);
  }
}

function checkLeaf(check: Check, value: unknown, member: Member): void {
  if (typeof value === 'number' && !Number.isFinite(value)) report(check, NOT_IN_FLOAT);
  if (typeof value !== 'string') return;
  if (value.includes('\0')) report(check, 'must not contain the character U+0000');
  else if (!value.isWellFormed()) report(check, 'must not contain half of a surrogate pair');
  else if (value.length > shortestLimit) checkLength(check, value, member);
}

function checkLength(check: Check, value: string, member: Member): void {
  const allowed = maxOf(member, 'length');
  if (allowed === null || value.length <= allowed) return;
  const { length } = Array.from(value);
  if (length > allowed) report(check, `must have at most ${allowed} characters and has ${length}`);
}

function report(check: Check, message: string): void {
  if (check.issues.length < maxIssues) check.issues.push({ path: [...check.path], message });
}

function tooLong(allowed: number, length: number): string {
  return `must have at most ${allowed} entries and has ${length}`;
}

function listSize(member: Member): number {
  return maxOf(member, 'listSize') ?? defaultListSize;
}

/** The argument `max` of the directive, or null where the member does not have it. */
function maxOf(member: Member, directiveName: 'length' | 'listSize'): number | null {
  const directive = member.astNode?.directives?.find(({ name }) => name.value === directiveName);
  const max = directive?.arguments?.find(({ name }) => name.value === 'max')?.value;
  return max?.kind === 'IntValue' ? Number(max.value) : null;
}
