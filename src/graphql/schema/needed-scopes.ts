import { type DocumentNode, getVariableValues, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';
import type { AppScope } from '../../app-scope.ts';
import { collectFields, fragmentsOf, isIncluded, responseKey, type Visit } from '../document/collect-fields.ts';

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
type Variables = Readonly<Record<string, unknown>> | null;

/** The scopes of the root fields of an operation, without those that `@skip` and `@include` leave out. */
export function neededScopes(schema: GraphQLSchema, requested: Requested, variables: Variables): NeededScope[] {
  const { document, operation } = requested;
  const known = schema.getRootType(operation.operation)?.getFields() ?? {};
  const nodes = collectFields(
    [operation.selectionSet],
    fragmentsOf(document),
    includedOnly(schema, operation, variables),
  );
  const byKey = new Map(nodes.map((node) => [responseKey(node), node.name.value]));
  return [...byKey].flatMap(([key, name]) => {
    const field = known[name];
    if (!field) return [];
    const requiredScope = (field.extensions['requiredScope'] as AppScope | null | undefined) ?? null;
    const directives = field.astNode?.directives ?? [];
    const dependsOnArguments = directives.some((directive) => directive.name.value === 'requiresScopeOfArguments');
    return [{ key, name, requiredScope, dependsOnArguments }];
  });
}

/**
 * Leaves out what `@skip` and `@include` exclude. With invalid variables nothing is left out: the request will be
 * refused.
 */
function includedOnly(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Variables,
): Visit | undefined {
  const { variableValues } = getVariableValues(schema, variableDefinitions, variables ?? {}, { maxErrors: 1 });
  return variableValues && ((node) => node.kind === 'FragmentDefinition' || isIncluded(node, variableValues));
}
