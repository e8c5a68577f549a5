import { createHash } from 'node:crypto';
import {
  type ASTVisitor,
  type DocumentNode,
  Kind,
  print,
  stripIgnoredCharacters,
  type ValueNode,
  visit,
} from 'graphql';
import { distinctEntries, type KeyedValue, type StringOrNumber } from '../document/distinct-entries.ts';
import { writtenTypeName } from './coordinates.ts';

/**
 * The longest text that is kept, in UTF-16 units without white space. A document with all fields of a product has
 * 3,000.
 */
const MAX_TEXT_LENGTH = 10_000;
const ID_LENGTH = 16;

/** An operation as an app sends it, without the values in it, which may be personal data. */
export type ClientOperation = {
  /** A hash of `text`. Documents that differ only in values or white space have the same id. */
  readonly id: string;
  readonly name: string | null;
  /** The document on one line. Strings are empty, numbers are 0, and of equal entries of a list one is kept. */
  readonly text: string;
};

/**
 * Makes the operation of a document that has one operation and its fragments. Null if its text is too long to be kept.
 */
export function clientOperation(document: DocumentNode): ClientOperation | null {
  const text = stripIgnoredCharacters(print(visit(document, WITHOUT_VALUES) as DocumentNode));
  if (text.length > MAX_TEXT_LENGTH) return null;
  const operation = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const id = createHash('sha256').update(text).digest('hex').slice(0, ID_LENGTH);
  return { id, name: operation?.name?.value ?? null, text };
}

/** Removes values and descriptions. Names stay, so that the developers of the client recognize the document. */
const WITHOUT_VALUES: ASTVisitor = {
  OperationDefinition: (node) => ({ ...node, description: undefined }),
  FragmentDefinition: (node) => ({ ...node, description: undefined }),
  VariableDefinition: ({ defaultValue, ...node }) => ({
    ...node,
    description: undefined,
    ...(defaultValue && { defaultValue: withoutValues(defaultValue) }),
  }),
  NamedType: (node) => ({ ...node, name: { ...node.name, value: writtenTypeName(node) } }),
  Argument: (node) => ({ ...node, value: withoutValues(node.value) }),
};

/** A value in which strings are empty and numbers are 0, and lists have no two equal entries. */
function withoutValues(node: ValueNode): ValueNode {
  return distinctEntries(node, emptied).node;
}

function emptied(node: StringOrNumber): KeyedValue {
  return node.kind === Kind.STRING
    ? { node: { ...node, value: '', block: false }, key: '""' }
    : { node: { ...node, value: '0' }, key: '0' };
}
