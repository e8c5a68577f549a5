import {
  BREAK,
  type DefinitionNode,
  type DocumentNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';

const textOrComment = /"(?:[^"\\\n\r]|\\.)*"|#[^\n\r]*/g;
/** No document has it, so that no document is taken for another without its texts. */
const mark = '\0';

const textsWithin = new WeakMap<SelectionSetNode, boolean>();

/**
 * What all documents have in common that differ in the texts of their literals alone: they are valid or
 * not together, for no rule looks into a text. Null for documents without such literals; those with block
 * strings count as such.
 */
export function withoutTexts(text: string): string | null {
  if (!text.includes('"') || text.includes('"""')) return null;
  return mark + text.replace(textOrComment, (found) => (found.startsWith('"') ? '""' : found));
}

/** The document with the selections of one like it, for which plans and statements are ready, below its own arguments. */
export function withSelectionsOf(known: DocumentNode, document: DocumentNode): DocumentNode {
  const definitions = document.definitions.map((definition, index) =>
    inDefinition(definition, known.definitions[index]),
  );
  return { ...document, definitions, tokenCount: document.tokenCount };
}

function inDefinition(definition: DefinitionNode, known: DefinitionNode | undefined): DefinitionNode {
  if (definition.kind !== Kind.OPERATION_DEFINITION || known?.kind !== Kind.OPERATION_DEFINITION) return definition;
  const models = known.selectionSet.selections;
  const selections = definition.selectionSet.selections.map((node, index) => inRootField(node, models[index]));
  return { ...definition, selectionSet: { ...definition.selectionSet, selections } };
}

function inRootField(node: SelectionNode, known: SelectionNode | undefined): SelectionNode {
  if (node.kind !== Kind.FIELD || known?.kind !== Kind.FIELD || !known.selectionSet || hasTexts(known.selectionSet))
    return node;
  return { ...node, selectionSet: known.selectionSet };
}

function hasTexts(selectionSet: SelectionSetNode): boolean {
  const known = textsWithin.get(selectionSet);
  if (known !== undefined) return known;
  let found = false;
  visit(selectionSet, {
    StringValue: () => {
      found = true;
      return BREAK;
    },
  });
  textsWithin.set(selectionSet, found);
  return found;
}
