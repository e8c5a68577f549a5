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

const containsStringsBySet = new WeakMap<SelectionSetNode, boolean>();

/**
 * The cache key that documents share which differ only in string literals. No validation rule reads a string, so either
 * all of them are valid or none is. Null for documents without string literals, and for those with block strings.
 */
export function withoutStringLiterals(text: string): string | null {
  if (!text.includes('"') || text.includes('"""')) return null;
  return KEY_PREFIX + text.replace(STRING_OR_COMMENT, (found) => (found.startsWith('"') ? '""' : found));
}

/**
 * Replaces the selection sets below the root fields by those of the cached document, so that the plans and SQL
 * statements that are cached per selection set are found. The arguments of the root fields stay.
 */
export function withCachedSelections(known: DocumentNode, document: DocumentNode): DocumentNode {
  const definitions = document.definitions.map((definition, index) =>
    reuseInDefinition(definition, known.definitions[index]),
  );
  return { ...document, definitions, tokenCount: document.tokenCount };
}

function reuseInDefinition(definition: DefinitionNode, known: DefinitionNode | undefined): DefinitionNode {
  if (definition.kind !== Kind.OPERATION_DEFINITION || known?.kind !== Kind.OPERATION_DEFINITION) return definition;
  const cached = known.selectionSet.selections;
  const selections = definition.selectionSet.selections.map((node, index) => reuseInRootField(node, cached[index]));
  return { ...definition, selectionSet: { ...definition.selectionSet, selections } };
}

function reuseInRootField(node: SelectionNode, known: SelectionNode | undefined): SelectionNode {
  if (
    node.kind !== Kind.FIELD ||
    known?.kind !== Kind.FIELD ||
    !known.selectionSet ||
    containsStrings(known.selectionSet)
  )
    return node;
  return { ...node, selectionSet: known.selectionSet };
}

function containsStrings(selectionSet: SelectionSetNode): boolean {
  const known = containsStringsBySet.get(selectionSet);
  if (known !== undefined) return known;
  let found = false;
  visit(selectionSet, {
    StringValue: () => {
      found = true;
      return BREAK;
    },
  });
  containsStringsBySet.set(selectionSet, found);
  return found;
}
