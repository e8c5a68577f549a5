import {
  BREAK,
  type DefinitionNode,
  type DocumentNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';

const STRING_OR_COMMENT = /"(?:[^"\\\n\r]|\\.)*"|#[^\n\r]*/g;
/** Prefix of a cache key. No valid document contains it, so that no document equals the key of another one. */
const KEY_PREFIX = '\0';

/**
 * The cache key that documents share which differ only in string literals. No validation rule reads a string, so either
 * all of them are valid or none is. Null for documents without string literals, and for those with block strings.
 */
export function withoutStringLiterals(text: string): string | null {
  if (!text.includes('"') || text.includes('"""')) return null;
  return KEY_PREFIX + text.replace(STRING_OR_COMMENT, (found) => (found.startsWith('"') ? '""' : found));
}

/** The selection sets below the root fields, by definition and root field. Null where one contains strings. */
export type SharedSelections = readonly (readonly (SelectionSetNode | null)[])[];

/** The selection sets that documents share which differ from this one only in string literals. */
export function sharedSelections({ definitions }: DocumentNode): SharedSelections {
  return definitions.map((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections.map(sharedSelection) : [],
  );
}

/**
 * Replaces the selection sets below the root fields by those of the cached document, so that the plans and SQL
 * statements that are cached per selection set are found. The arguments of the root fields stay.
 */
export function withSharedSelections(document: DocumentNode, shared: SharedSelections): DocumentNode {
  const definitions = document.definitions.map((definition, index) => reuseInDefinition(definition, shared[index]!));
  return { ...document, definitions, tokenCount: document.tokenCount };
}

function reuseInDefinition(definition: DefinitionNode, shared: SharedSelections[number]): DefinitionNode {
  if (definition.kind !== Kind.OPERATION_DEFINITION) return definition;
  const selections = definition.selectionSet.selections.map((node, index) => {
    const selectionSet = shared[index];
    return selectionSet && node.kind === Kind.FIELD ? { ...node, selectionSet } : node;
  });
  return { ...definition, selectionSet: { ...definition.selectionSet, selections } };
}

function sharedSelection(node: SelectionNode): SelectionSetNode | null {
  if (node.kind !== Kind.FIELD || !node.selectionSet || containsStrings(node.selectionSet)) return null;
  return node.selectionSet;
}

function containsStrings(selectionSet: SelectionSetNode): boolean {
  let found = false;
  visit(selectionSet, {
    StringValue: () => {
      found = true;
      return BREAK;
    },
  });
  return found;
}
