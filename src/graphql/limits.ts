import { type DirectiveNode, type DocumentNode, type FieldNode, type FragmentDefinitionNode, GraphQLError, type OperationDefinitionNode, type SelectionSetNode, type TypeNode, type ValueNode } from 'graphql';

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

/**
 * Refuses documents that are costly to validate or to execute, before either is begun. It walks the
 * document the way execution does: fields of one place are merged, a fragment counts once in each place.
 */
export function checkLimits(document: DocumentNode): GraphQLError[] {
  const walk: Walk = { fragments: new Map(), reached: new Set(), aliases: 0, directives: 0, selections: 0, schemas: 0 };
  const operations: OperationDefinitionNode[] = [];
  for (const definition of document.definitions) {
    if (definition.kind === 'FragmentDefinition') walk.fragments.set(definition.name.value, definition);
    if (definition.kind === 'OperationDefinition') operations.push(definition);
  }
  try {
    for (const operation of operations) checkOperation(walk, operation);
    for (const [name, fragment] of walk.fragments) {
      if (!walk.reached.has(name)) checkSelections(walk, [fragment.selectionSet], 1);
    }
    return [];
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}

type Walk = {
  fragments: Map<string, FragmentDefinitionNode>;
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
function checkSelections(walk: Walk, sets: SelectionSetNode[], depth: number, isInSchema = false): void {
  if (depth > maxDepth) throw refused(`selects more than ${maxDepth} levels deep`);
  const fields = new Map<string, FieldNode[]>();
  const spread = new Set<string>();
  for (const set of sets) collectFields(walk, set, fields, spread);
  for (const [name, nodes] of fields) {
    checkRepetitions(name, nodes);
    const isSchema = nodes[0]?.name.value === '__schema';
    checkSchemaQuestion(walk, nodes, { isSchema, isInSchema });
    const below = nodes.flatMap((node) => node.selectionSet ?? []);
    if (below.length > 0) checkSelections(walk, below, depth + 1, isInSchema || isSchema);
  }
}

/** The schema is long and strangers may ask for it, so that it is told once and each part of it under its name. */
function checkSchemaQuestion(walk: Walk, nodes: FieldNode[], { isSchema, isInSchema }: { isSchema: boolean; isInSchema: boolean }): void {
  if (isSchema && ++walk.schemas > 1) throw refused('asks for __schema more than once');
  if (isInSchema && nodes.some(({ alias }) => alias)) throw refused('has an alias within __schema');
}

function collectFields(walk: Walk, set: SelectionSetNode, fields: Map<string, FieldNode[]>, spread: Set<string>): void {
  for (const selection of set.selections) {
    if (++walk.selections > maxSelections) throw refused(`selects more than ${maxSelections} fields, counted with its fragments`);
    countDirectives(walk, selection.directives);
    if (selection.kind === 'Field') {
      collectField(walk, selection, fields);
    } else if (selection.kind === 'InlineFragment') {
      collectFields(walk, selection.selectionSet, fields, spread);
    } else if (!spread.has(selection.name.value)) {
      spread.add(selection.name.value);
      collectFragment(walk, selection.name.value, fields, spread);
    }
  }
}

function collectField(walk: Walk, field: FieldNode, fields: Map<string, FieldNode[]>): void {
  if (field.alias && ++walk.aliases > maxAliases) throw refused(`has more than ${maxAliases} aliases`);
  for (const argument of field.arguments ?? []) checkValue(argument.value, 1);
  const name = field.alias?.value ?? field.name.value;
  const nodes = fields.get(name);
  if (nodes) nodes.push(field);
  else fields.set(name, [field]);
}

function collectFragment(walk: Walk, name: string, fields: Map<string, FieldNode[]>, spread: Set<string>): void {
  const fragment = walk.fragments.get(name);
  if (!fragment) return;
  walk.reached.add(name);
  countDirectives(walk, fragment.directives);
  collectFields(walk, fragment.selectionSet, fields, spread);
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
