import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type TypeNode,
  type ValueNode,
} from 'graphql';
import { collectFields, type Fragments, fragmentsOf, responseKey, selectionSets } from './collect-fields.ts';
import { countLiteralTokens } from './literal-tokens.ts';

/** The longest document, in UTF-16 units. It leaves room for the longest texts as literals. */
export const MAX_DOCUMENT_LENGTH = 1_000_000;
/** Longer documents are read only in the queue of blocking work, and get only one error. */
export const LONG_DOCUMENT_LENGTH = 32_768;
/** Lexical tokens, besides the literals in arguments: names, numbers, strings and punctuators. */
export const MAX_TOKENS = 2_000;
/**
 * Lexical tokens of a document with the literals in its arguments: enough for the 3,000 rows of saveVariantPrices in a
 * request without variables, with up to 30 tokens each.
 */
export const MAX_TOKENS_WITH_LITERALS = 100_000;
/** Errors reported for one document. graphql-js adds one that says that there are more. */
export const MAX_ERRORS = 99;
/**
 * Errors reported for a document with many literals or a long text. The text of one can contain all literals: 99 errors
 * about an input with a string of 980,000 characters took 2.3 s.
 */
export const MAX_ERRORS_WITH_LITERALS = 1;

const MAX_DEPTH = 15;
const MAX_ALIASES = 30;
const MAX_DIRECTIVES = 50;
/** Members of an object literal, more than any input has: graphql-js prints the object in an error about one of them. */
const MAX_MEMBERS = 1_000;
/** Fields and fragments after expansion of the fragment spreads. */
const MAX_SELECTIONS = 5_000;
/** Selections of one response key: validation compares each pair of them. */
const MAX_REPETITIONS = 100;
/** Selections of one response key with arguments, which take longer to compare. */
const MAX_REPETITIONS_WITH_ARGUMENTS = 10;
/** The same in a document with many literals, which each comparison prints. */
const MAX_REPETITIONS_WITH_LITERALS = 1;
/**
 * Fields `__schema` and `__type`. Tools that ask which members of introspection a server has select up to six types, and
 * all else selects `__schema` alone.
 */
const MAX_INTROSPECTIONS = 6;
/** Nested lists in introspection, as in graphql-js: each multiplies the response by the size of the schema. */
const MAX_SCHEMA_LISTS = 2;
const SCHEMA_LISTS: ReadonlySet<string> = new Set(['fields', 'interfaces', 'possibleTypes', 'inputFields']);

/** Why a document is refused, and how many fields and fragments it has after expansion of the spreads. */
export type CheckedLimits = { readonly errors: readonly GraphQLError[]; readonly selections: number };

/** Whether a document has so many tokens that only its literals may be so many. */
export function hasManyLiterals({ tokenCount = 0 }: DocumentNode): boolean {
  return tokenCount > MAX_TOKENS;
}

/** Whether a document has too many tokens besides the literals in its arguments. */
export function hasTooManyTokens(document: DocumentNode): boolean {
  const { tokenCount = 0 } = document;
  return hasManyLiterals(document) && tokenCount - countLiteralTokens(document, { maxDepth: MAX_DEPTH }) > MAX_TOKENS;
}

/**
 * Refuses documents that are costly to validate or to execute, before both. Visits the document as execution does:
 * fields of one object are merged, and a fragment counts once per object.
 */
export function checkLimits(document: DocumentNode): CheckedLimits {
  const fragments = fragmentsOf(document);
  const walk: Walk = {
    fragments,
    maxRepetitionsWithArguments: hasManyLiterals(document)
      ? MAX_REPETITIONS_WITH_LITERALS
      : MAX_REPETITIONS_WITH_ARGUMENTS,
    reached: new Set(),
    fields: new Set(),
    aliases: 0,
    directives: 0,
    selections: 0,
    schemas: 0,
    introspections: 0,
  };
  try {
    for (const definition of document.definitions) {
      if (definition.kind === 'OperationDefinition') checkOperation(walk, definition);
    }
    for (const [name, fragment] of Object.entries(fragments)) {
      if (!walk.reached.has(name)) checkSelections(walk, [fragment!.selectionSet], 1);
    }
    return { errors: [], selections: walk.selections };
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error], selections: walk.selections };
    throw error;
  }
}

type Walk = {
  fragments: Fragments;
  maxRepetitionsWithArguments: number;
  reached: Set<string>;
  /** Fields whose arguments have been checked. */
  fields: Set<FieldNode>;
  aliases: number;
  directives: number;
  selections: number;
  schemas: number;
  introspections: number;
};

function checkOperation(walk: Walk, operation: OperationDefinitionNode): void {
  countDirectives(walk, operation.directives);
  for (const variable of operation.variableDefinitions ?? []) {
    countDirectives(walk, variable.directives);
    checkType(variable.type, 1);
    if (variable.defaultValue) checkValue(variable.defaultValue, 1);
  }
  checkSelections(walk, [operation.selectionSet], 1);
}

/** The merged selection sets of one object of the response. */
function checkSelections(walk: Walk, sets: SelectionSetNode[], depth: number, within: Introspection = null): void {
  if (depth > MAX_DEPTH) throw refused(`selects more than ${MAX_DEPTH} levels deep`);
  const fields = collectFields(sets, walk.fragments, (node) => count(walk, node));
  for (const [key, nodes] of Map.groupBy(fields, responseKey)) {
    checkRepetitions(walk, key, nodes);
    const at = checkIntrospection(walk, nodes, within);
    const below = selectionSets(nodes);
    if (below.length > 0) checkSelections(walk, below, depth + 1, at);
  }
}

/** The enclosing `__schema` or `__type`, and the lists of introspection between. Null outside of introspection. */
type Introspection = { root: string; lists: number } | null;

/**
 * Introspection has a long response and needs no token. So `__schema` may be selected once, both fields a few times, and
 * nothing below them with an alias.
 */
function checkIntrospection(walk: Walk, nodes: FieldNode[], within: Introspection): Introspection {
  const name = nodes[0]!.name.value;
  if (name === '__schema' || name === '__type') {
    if (name === '__schema' && ++walk.schemas > 1) throw refused('asks for __schema more than once');
    if (++walk.introspections > MAX_INTROSPECTIONS)
      throw refused(`asks for __schema and __type more than ${MAX_INTROSPECTIONS} times`);
    return { root: name, lists: 0 };
  }
  if (!within) return null;
  const { root, lists } = within;
  if (nodes.some(({ alias }) => alias)) throw refused(`has an alias within ${root}`);
  if (!nodes.some(({ name }) => SCHEMA_LISTS.has(name.value))) return within;
  if (lists === MAX_SCHEMA_LISTS) throw new GraphQLError('Maximum introspection depth exceeded', { nodes });
  return { root, lists: lists + 1 };
}

function count(walk: Walk, node: SelectionNode | FragmentDefinitionNode): void {
  countDirectives(walk, node.directives);
  if (node.kind === 'FragmentDefinition') {
    walk.reached.add(node.name.value);
    return;
  }
  if (++walk.selections > MAX_SELECTIONS)
    throw refused(`selects more than ${MAX_SELECTIONS} fields, counted with its fragments`);
  if (node.kind === 'Field') countField(walk, node);
}

function countField(walk: Walk, field: FieldNode): void {
  if (field.alias && ++walk.aliases > MAX_ALIASES) throw refused(`has more than ${MAX_ALIASES} aliases`);
  if (!field.arguments?.length || walk.fields.has(field)) return;
  walk.fields.add(field);
  for (const argument of field.arguments) checkValue(argument.value, 1);
}

function checkRepetitions(walk: Walk, name: string, nodes: FieldNode[]): void {
  const hasArguments = nodes.some((node) => node.arguments?.length);
  const allowed = hasArguments ? walk.maxRepetitionsWithArguments : MAX_REPETITIONS;
  if (nodes.length <= allowed) return;
  throw refused(`selects "${name}" more than ${allowed === 1 ? 'once' : `${allowed} times`} in one place`);
}

function countDirectives(walk: Walk, directives: readonly DirectiveNode[] | undefined): void {
  if (!directives?.length) return;
  walk.directives += directives.length;
  if (walk.directives > MAX_DIRECTIVES) throw refused(`has more than ${MAX_DIRECTIVES} directives`);
  for (const directive of directives) {
    for (const argument of directive.arguments ?? []) checkValue(argument.value, 1);
  }
}

function checkValue(value: ValueNode, depth: number): void {
  if (depth > MAX_DEPTH) throw refused(`nests a value more than ${MAX_DEPTH} levels deep`);
  if (value.kind === 'ListValue') for (const entry of value.values) checkValue(entry, depth + 1);
  if (value.kind !== 'ObjectValue') return;
  if (value.fields.length > MAX_MEMBERS) throw refused(`has an object with more than ${MAX_MEMBERS} members`);
  for (const field of value.fields) checkValue(field.value, depth + 1);
}

function checkType(type: TypeNode, depth: number): void {
  if (depth > MAX_DEPTH) throw refused(`nests a type more than ${MAX_DEPTH} levels deep`);
  if (type.kind !== 'NamedType') checkType(type.type, depth + 1);
}

function refused(what: string): GraphQLError {
  return new GraphQLError(`The document ${what}.`);
}
