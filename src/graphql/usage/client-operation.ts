import { createHash } from 'node:crypto';
import { type ASTVisitor, type DocumentNode, Kind, print, stripIgnoredCharacters, visit } from 'graphql';
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
  VariableDefinition: (node) => ({ ...node, description: undefined }),
  NamedType: (node) => ({ ...node, name: { ...node.name, value: writtenTypeName(node) } }),
  StringValue: (node) => ({ ...node, value: '', block: false }),
  IntValue: (node) => ({ ...node, value: '0' }),
  FloatValue: (node) => ({ ...node, value: '0' }),
  ListValue: {
    leave: (node) => ({ ...node, values: [...new Map(node.values.map((value) => [print(value), value])).values()] }),
  },
};
