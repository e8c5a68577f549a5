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

/** In UTF-16 units, without white space. A document with all fields of a product has 3,000. */
const MAX_TEXT_LENGTH = 10_000;
const ID_LENGTH = 16;

/** An operation as an app sends it, without the values in it, which may be personal data. */
export type ClientOperation = {
  /** Of the text: documents that differ only in values or white space have the same. */
  readonly id: string;
  readonly name: string | null;
  /** On one line. Strings are empty, numbers are 0, and equal entries of a list are there once. */
  readonly text: string;
};

/** Null if the text is too long to be kept. `document` has one operation and its fragments. */
export function clientOperation(document: DocumentNode): ClientOperation | null {
  const text = stripIgnoredCharacters(print(visit(document, WITHOUT_VALUES) as DocumentNode));
  if (text.length > MAX_TEXT_LENGTH) return null;
  const operation = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const id = createHash('sha256').update(text).digest('hex').slice(0, ID_LENGTH);
  return { id, name: operation?.name?.value ?? null, text };
}

/** Names stay, since a document without them would not be the client's. */
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

/** `key`: equal for equal nodes. */
type Emptied = { readonly node: ValueNode; readonly key: string };

/** Printing each entry of a list to compare them would take as long as validation. */
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
