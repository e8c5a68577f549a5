import {
  BREAK,
  type DocumentNode,
  type FieldNode,
  getNullableType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  isObjectType,
  isRequiredArgument,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import type { Selection } from '../../db/read/projection.ts';
import { collectFields, type Fragments, onlyIncluded, responseKey, selectionSets } from '../document/collect-fields.ts';
import { selectionOf } from './selection.ts';
import { type Completer, completer, isUnaliased, membersOf, type Selected, typeName } from './value-completer.ts';

/** A root field of an operation: how it is resolved, and how its result becomes text. */
export type RootField = {
  readonly key: string;
  readonly nodes: readonly FieldNode[];
  /** Null for `__typename`, and for introspection, which graphql-js executes. */
  readonly field: GraphQLField<unknown, unknown> | null;
  /** The field without the arguments that the document does not give, so that `getArgumentValues` does not loop over them. */
  readonly called: GraphQLField<unknown, unknown> | null;
  /** Null if graphql-js completes the result. */
  readonly completer: Completer | null;
  /** The selected fields of a page whose records may be sent as the text of the database; null otherwise. */
  readonly members: readonly PageMember[] | null;
  readonly selection: Selection;
};

/** A field of a page. `completer` is null for the records, which are text already. */
export type PageMember = { readonly key: string; readonly name: string; readonly completer: Completer | null };

type Planned = {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Fragments;
};
type VariableValues = Parameters<typeof onlyIncluded>[0];

/** The root fields of an operation, in the order of the response, without those that a directive leaves out. */
export function rootFields({ schema, operation, fragments }: Planned, variables?: VariableValues): RootField[] {
  const visit = variables ? onlyIncluded(variables) : undefined;
  const type = schema.getRootType(operation.operation)!;
  const byKey = Map.groupBy(collectFields([operation.selectionSet], fragments, visit), responseKey);
  return Array.from(byKey, ([key, nodes]) =>
    rootField(type, key, nodes, { sets: selectionSets(nodes), fragments, ...(visit && { visit }) }),
  );
}

/** Whether the fields of the response depend on variables. */
export function hasDirectives(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Directive: () => {
      found = true;
      return BREAK;
    },
  });
  return found;
}

/** Whether a key of the response is not the name of its field. */
export function hasAliases(selected: Selected): boolean {
  return membersOf(selected).some(({ key, name, below }) => key !== name || hasAliases(below));
}

function rootField(type: GraphQLObjectType, key: string, nodes: readonly FieldNode[], selected: Selected): RootField {
  const name = nodes[0]!.name.value;
  const field = type.getFields()[name] ?? null;
  if (!field)
    return {
      key,
      nodes,
      field,
      called: null,
      completer: name === '__typename' ? typeName(type.name) : null,
      members: null,
      selection: {},
    };
  return {
    key,
    nodes,
    field,
    called: withArguments(field, nodes[0]!),
    completer: completer(field.type, selected),
    members: pageMembers(field, selected),
    selection: selectionOf(selected),
  };
}

function withArguments(field: GraphQLField<unknown, unknown>, node: FieldNode): GraphQLField<unknown, unknown> {
  const given = new Set(node.arguments?.map(({ name }) => name.value));
  const args = field.args.filter(
    (argument) => given.has(argument.name) || isRequiredArgument(argument) || argument.default !== undefined,
  );
  return Object.assign(Object.create(field) as GraphQLField<unknown, unknown>, { args });
}

function pageMembers(field: GraphQLField<unknown, unknown>, selected: Selected): readonly PageMember[] | null {
  const type = getNullableType(field.type);
  const fields = isObjectType(type) ? type.getFields() : {};
  if (!fields['data'] || !fields['endCursor']) return null;
  const members = membersOf(selected);
  const records = members.filter(({ name }) => name === 'data');
  if (
    records.length > 1 ||
    !records.every(({ below }) => isUnaliased(below)) ||
    members.some(({ name }) => !fields[name])
  )
    return null;
  return members.map(({ key, name, below }) => ({
    key,
    name,
    completer: name === 'data' ? null : completer(fields[name]!.type, below),
  }));
}
