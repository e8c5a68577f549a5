import type { DocumentNode, SelectionSetNode, ValueNode } from 'graphql';

/**
 * The lexical tokens of the literals in arguments of fields, to `maxDepth` levels of lists and objects. Variables do not
 * count: validation compares each with the operations that use it.
 */
export function countLiteralTokens(document: DocumentNode, { maxDepth }: { maxDepth: number }): number {
  let tokens = 0;
  const sets: SelectionSetNode[] = document.definitions.flatMap((definition) =>
    'selectionSet' in definition && definition.selectionSet ? definition.selectionSet : [],
  );
  // No recursion: the depth of the document is not limited yet, and a deep one would overflow the stack.
  for (let set = sets.pop(); set; set = sets.pop()) {
    for (const node of set.selections) {
      if (node.kind === 'Field') for (const { value } of node.arguments ?? []) tokens += tokensOf(value, maxDepth);
      if (node.kind !== 'FragmentSpread' && node.selectionSet) sets.push(node.selectionSet);
    }
  }
  return tokens;
}

function tokensOf(value: ValueNode, depth: number): number {
  if (depth === 0 || value.kind === 'Variable') return 0;
  if (value.kind === 'ListValue') {
    let tokens = 2;
    for (const entry of value.values) tokens += tokensOf(entry, depth - 1);
    return tokens;
  }
  if (value.kind !== 'ObjectValue') return 1;
  let tokens = 2;
  for (const field of value.fields) tokens += 2 + tokensOf(field.value, depth - 1);
  return tokens;
}
