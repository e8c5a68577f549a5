import {
  type DocumentNode,
  type FieldNode,
  getVariableValues,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type TypeNode,
} from 'graphql';
import type { AppScope } from '../../app-scope.ts';
import { directiveOf } from '../directives.ts';
import { collectFields, fragmentsOf, onlyIncluded, responseKey, type Visit } from '../document/collect-fields.ts';
import type { Variables } from '../input/variables.ts';

export type NeededScope = {
  /** The response key. */
  readonly key: string;
  readonly name: string;
  /** The scope that the operation needs; null if a token with any scope is enough. */
  readonly requiredScope: AppScope | null;
  /** Whether the operation needs the scopes of what its arguments name, too. */
  readonly dependsOnArguments: boolean;
};

type Requested = { readonly document: DocumentNode; readonly operation: OperationDefinitionNode };

/** The scopes of the root fields of an operation, without those that `@skip` and `@include` leave out. */
export function neededScopes(schema: GraphQLSchema, requested: Requested, variables: Variables): NeededScope[] {
  const known = schema.getRootType(requested.operation.operation)?.getFields() ?? {};
  const nodes = includedFields(schema, requested, variables);
  const byKey = new Map(nodes.map((node) => [responseKey(node), node.name.value]));
  return [...byKey].flatMap(([key, name]) => {
    const field = known[name];
    if (!field) return [];
    const requiredScope = (field.extensions['requiredScope'] as AppScope | null | undefined) ?? null;
    const dependsOnArguments = directiveOf(field, 'requiresScopeOfArguments') !== undefined;
    return [{ key, name, requiredScope, dependsOnArguments }];
  });
}

/**
 * The root fields without those that `@skip` and `@include` leave out. With invalid variables nothing is left out: the
 * request will be refused.
 */
function includedFields(schema: GraphQLSchema, { document, operation }: Requested, variables: Variables): FieldNode[] {
  const collect = (visit?: Visit) => collectFields([operation.selectionSet], fragmentsOf(document), visit);
  // The two directives take only variables of this type. The others, which may be megabytes, are not coerced.
  const definitions = (operation.variableDefinitions ?? []).filter(({ type }) => isBoolean(type));
  const { variableValues } = getVariableValues(schema, definitions, variables ?? {}, { maxErrors: 1 });
  if (!variableValues) return collect();
  try {
    return collect(onlyIncluded(variableValues));
  } catch (error) {
    if (error instanceof GraphQLError) return collect();
    throw error;
  }
}

function isBoolean(type: TypeNode): boolean {
  if (type.kind === 'NonNullType') return isBoolean(type.type);
  return type.kind === 'NamedType' && type.name.value === 'Boolean';
}
