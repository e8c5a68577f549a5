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

/** Longest document that is parsed, in UTF-16 units: room for the longest texts written as literals. */
export const maxDocumentLength = 1_000_000;
/** Words, names, numbers and signs of a document. */
export const maxTokens = 2_000;
/** Errors reported for one document; graphql-js adds one that says there would be more. */
export const maxErrors = 99;

const maxDepth = 15;
const maxAliases = 30;
const maxDirectives = 50;
/** Fields and fragments after fragments are put in place of their names. */
const maxSelections = 5_000;
/** How often one place of the response may be selected: validation compares each pair. */
const maxRepetitions = 100;
/** The same for fields with arguments, which cost more to compare. */
const maxRepetitionsWithArguments = 10;
/** Lists of the schema within each other, as in graphql-js: each multiplies the answer by the size of the schema. */
const maxSchemaLists = 2;
const schemaLists: ReadonlySet<string> = new Set(['fields', 'interfaces', 'possibleTypes', 'inputFields']);

/**
 * Refuses documents that are costly to validate or to execute, before either is begun. It walks the
 * document the way execution does: fields of one place are merged, a fragment counts once in each place.
 */
export function checkLimits(document: DocumentNode): GraphQLError[] {
  const fragments = fragmentsOf(document);
  const walk: Walk = { fragments, reached: new Set(), aliases: 0, directives: 0, selections: 0, schemas: 0 };
  try {
    for (const definition of document.definitions) {
      if (definition.kind === 'OperationDefinition') checkOperation(walk, definition);
    }
    for (const [name, fragment] of Object.entries(fragments)) {
      if (!walk.reached.has(name)) checkSelections(walk, [fragment!.selectionSet], 1);
    }
    return [];
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}

type Walk = {
  fragments: Fragments;
  reached: Set<string>;
  aliases: number;
  directives: number;
  selections: number;
  schemas: number;
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

/** The selection sets of one place of the response, taken together. */
function checkSelections(
  walk: Walk,
  sets: SelectionSetNode[],
  depth: number,
  within: Introspection = outsideSchema,
): void {
  if (depth > maxDepth) throw refused(`selects more than ${maxDepth} levels deep`);
  const fields = collectFields(sets, walk.fragments, (node) => count(walk, node));
  for (const [key, nodes] of Map.groupBy(fields, responseKey)) {
    checkRepetitions(key, nodes);
    const at = checkIntrospection(walk, nodes, within);
    const below = selectionSets(nodes);
    if (below.length > 0) checkSelections(walk, below, depth + 1, at);
  }
}

/** Where a place is in an answer about the schema. `lists`: how many of its lists are around the place; null outside. */
type Introspection = { isInSchema: boolean; lists: number | null };
const outsideSchema: Introspection = { isInSchema: false, lists: null };

/** The schema is a long answer for which no token is needed: it is answered once, each part under its name. */
function checkIntrospection(walk: Walk, nodes: FieldNode[], { isInSchema, lists }: Introspection): Introspection {
  const name = nodes[0]!.name.value;
  if (name === '__schema' && ++walk.schemas > 1) throw refused('asks for __schema more than once');
  if (isInSchema && nodes.some(({ alias }) => alias)) throw refused('has an alias within __schema');
  if (name === '__schema' || name === '__type') return { isInSchema: isInSchema || name === '__schema', lists: 0 };
  if (lists === null || !nodes.some(({ name }) => schemaLists.has(name.value))) return { isInSchema, lists };
  if (lists === maxSchemaLists) throw new GraphQLError('Maximum introspection depth exceeded', { nodes });
  return { isInSchema, lists: lists + 1 };
}

function count(walk: Walk, node: SelectionNode | FragmentDefinitionNode): void {
  countDirectives(walk, node.directives);
  if (node.kind === 'FragmentDefinition') {
    walk.reached.add(node.name.value);
    return;
  }
  if (++walk.selections > maxSelections)
    throw refused(`selects more than ${maxSelections} fields, counted with its fragments`);
  if (node.kind === 'Field') countField(walk, node);
}

function countField(walk: Walk, field: FieldNode): void {
  if (field.alias && ++walk.aliases > maxAliases) throw refused(`has more than ${maxAliases} aliases`);
  for (const argument of field.arguments ?? []) checkValue(argument.value, 1);
}

function checkRepetitions(name: string, nodes: FieldNode[]): void {
  const allowed = nodes.some((node) => node.arguments?.length) ? maxRepetitionsWithArguments : maxRepetitions;
  if (nodes.length > allowed) throw refused(`selects "${name}" more than ${allowed} times in one place`);
}

function countDirectives(walk: Walk, directives: readonly DirectiveNode[] | undefined): void {
  if (!directives?.length) return;
  walk.directives += directives.length;
  if (walk.directives > maxDirectives) throw refused(`has more than ${maxDirectives} directives`);
  for (const directive of directives) {
    for (const argument of directive.arguments ?? []) checkValue(argument.value, 1);
  }
}

function checkValue(value: ValueNode, depth: number): void {
  if (depth > maxDepth) throw refused(`nests a value more than ${maxDepth} levels deep`);
  if (value.kind === 'ListValue') for (const entry of value.values) checkValue(entry, depth + 1);
  if (value.kind === 'ObjectValue') for (const field of value.fields) checkValue(field.value, depth + 1);
}

function checkType(type: TypeNode, depth: number): void {
  if (depth > maxDepth) throw refused(`nests a type more than ${maxDepth} levels deep`);
  if (type.kind !== 'NamedType') checkType(type.type, depth + 1);
}

function refused(what: string): GraphQLError {
  return new GraphQLError(`The document ${what}.`);
}
