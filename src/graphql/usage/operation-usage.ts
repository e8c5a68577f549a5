import { type DocumentNode, type GraphQLSchema, separateOperations, typeFromAST } from 'graphql';
import { clientOperation, type ClientOperation } from './client-operation.ts';
import { coordinatesOf } from './coordinates.ts';
import { coordinatesOfValues, inputShape, type InputVariable } from './input-coordinates.ts';

/** What an operation uses of the schema, whatever its variables are. */
export type OperationUsage = {
  /** Null if its text is too long to be kept. */
  readonly operation: ClientOperation | null;
  readonly coordinates: ReadonlySet<string>;
  /** The variables whose values use something too. */
  readonly variables: readonly InputVariable[];
};

const usagesByDocument = new WeakMap<DocumentNode, ReadonlyMap<string, () => OperationUsage>>();

/**
 * Walks an operation of a valid document once. Fields that `@skip` leaves out are used too: without them in the schema,
 * the document would be refused.
 */
export function operationUsage(schema: GraphQLSchema, document: DocumentNode, operationName: string): OperationUsage {
  const known = usagesByDocument.get(document) ?? usagesOf(schema, document);
  usagesByDocument.set(document, known);
  return known.get(operationName)!();
}

/** What the values of an operation's variables use, and its document does not. */
export function coordinatesInVariables(
  { coordinates, variables }: OperationUsage,
  values: Readonly<Record<string, unknown>> | null,
): string[] {
  if (values === null || variables.length === 0) return [];
  return coordinatesOfValues(variables, values).filter((coordinate) => !coordinates.has(coordinate));
}

function usagesOf(schema: GraphQLSchema, document: DocumentNode): ReadonlyMap<string, () => OperationUsage> {
  const separate = Object.entries(separateOperations(document));
  return new Map(
    separate.map(([name, single]) => {
      let usage: OperationUsage | undefined;
      return [name, () => (usage ??= usageOf(schema, single))];
    }),
  );
}

function usageOf(schema: GraphQLSchema, document: DocumentNode): OperationUsage {
  const definitions = document.definitions.flatMap((definition) =>
    definition.kind === 'OperationDefinition' ? (definition.variableDefinitions ?? []) : [],
  );
  return {
    operation: clientOperation(document),
    coordinates: new Set(coordinatesOf(document, schema).values()),
    variables: definitions.flatMap(({ variable, type }) => {
      const shape = inputShape(typeFromAST(schema, type) as Parameters<typeof inputShape>[0]);
      return shape ? [{ name: variable.name.value, shape }] : [];
    }),
  };
}
