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
    ...(defaultValue && { defaultValue: withoutValues(defaultValue).node }),
  }),
  NamedType: (node) => ({ ...node, name: { ...node.name, value: writtenTypeName(node) } }),
  Argument: (node) => ({ ...node, value: withoutValues(node.value).node }),
};

/** A value in which strings are empty and numbers are 0. Equal values have equal keys. */
type Emptied = { readonly node: ValueNode; readonly key: string };

/** Entries of a list are compared by their keys: to print each entry for that would take as long as validation. */
function withoutValues(node: ValueNode): Emptied {
  switch (node.kind) {
    case Kind.STRING:
      return { node: { ...node, value: '', block: false }, key: '""' };
    case Kind.INT:
    case Kind.FLOAT:
      return { node: { ...node, value: '0' }, key: '0' };
    case Kind.LIST: {
      const entries = new Map(node.values.map(withoutValues).map((entry) => [entry.key, entry.node]));
      return { node: { ...node, values: [...entries.values()] }, key: `[${[...entries.keys()].join(' ')}]` };
    }
    case Kind.OBJECT: {
      const fields = node.fields.map((field) => ({ field, ...withoutValues(field.value) }));
      return {
        node: { ...node, fields: fields.map(({ field, node }) => ({ ...field, value: node })) },
        key: `{${fields.map(({ field, key }) => `${field.name.value}:${key}`).join(' ')}}`,
      };
    }
    default:
      return { node, key: print(node) };
  }
}
