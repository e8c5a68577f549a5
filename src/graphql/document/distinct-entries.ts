import {
  type DocumentNode,
  type FloatValueNode,
  type IntValueNode,
  Kind,
  type ObjectFieldNode,
  type StringValueNode,
  type ValueNode,
  visit,
} from 'graphql';

/** The longest integer that every numeric type of the schema takes, and the longest decimal without an exponent. */
const MAX_INTEGER_LENGTH = 9;
const MAX_DECIMAL_LENGTH = 15;
const EXPONENT = /e/i;

export type StringOrNumber = StringValueNode | IntValueNode | FloatValueNode;

/** A literal, and a key that equal literals share. */
export type KeyedValue = { readonly node: ValueNode; readonly key: string };

/**
 * A literal whose lists have one entry of each key. `scalar` makes strings and numbers, and their keys. Entries are
 * compared by keys: to print each entry for that would take as long as validation.
 */
export function distinctEntries(node: ValueNode, scalar: (node: StringOrNumber) => KeyedValue): KeyedValue {
  switch (node.kind) {
    case Kind.LIST: {
      const entries = new Map<string, ValueNode>();
      for (const value of node.values) {
        const entry = distinctEntries(value, scalar);
        if (!entries.has(entry.key)) entries.set(entry.key, entry.node);
      }
      return { node: { ...node, values: [...entries.values()] }, key: `[${[...entries.keys()].join(' ')}]` };
    }
    case Kind.OBJECT: {
      let key = '{';
      const fields: ObjectFieldNode[] = [];
      for (const field of node.fields) {
        const value = distinctEntries(field.value, scalar);
        key += `${field.name.value}:${value.key} `;
        fields.push(value.node === field.value ? field : { ...field, value: value.node });
      }
      return { node: { ...node, fields }, key: `${key}}` };
    }
    case Kind.VARIABLE:
      return { node, key: `$${node.name.value}` };
    case Kind.BOOLEAN:
    case Kind.ENUM:
      return { node, key: String(node.value) };
    case Kind.NULL:
      return { node, key: 'null' };
    default:
      return scalar(node);
  }
}

/**
 * A document that is valid exactly if this one is: entries of a list are left out if their members, and the kinds of
 * the values in them, are those of an entry before them. Two fields with other arguments may become equal.
 */
export function withoutRepeatedEntries(document: DocumentNode): DocumentNode {
  return visit(document, {
    Argument: (node) => ({ ...node, value: distinctEntries(node.value, byKind).node }),
  }) as DocumentNode;
}

/** Every string is valid for the same types. A number may be out of the range of its type. */
function byKind(node: StringOrNumber): KeyedValue {
  if (node.kind === Kind.STRING) return { node, key: '""' };
  if (node.kind === Kind.INT) return { node, key: node.value.length <= MAX_INTEGER_LENGTH ? '0' : node.value };
  if (node.value.length > MAX_DECIMAL_LENGTH || EXPONENT.test(node.value)) return { node, key: node.value };
  return { node, key: Number.isInteger(Number(node.value)) ? '0.0' : '0.5' };
}
