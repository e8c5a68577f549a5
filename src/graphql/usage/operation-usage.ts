import { type DocumentNode, type GraphQLSchema, separateOperations, typeFromAST } from 'graphql';
import { clientOperation, type ClientOperation } from './client-operation.ts';
import { coordinatesOf } from './coordinates.ts';
import { coordinatesOfValues, InputShapes, type InputVariable } from './input-coordinates.ts';

/** What an operation uses of the schema, whatever the values of its variables are. */
export type OperationUsage = {
  /** Null if its text is too long to be kept. */
  readonly operation: ClientOperation | null;
  readonly coordinates: ReadonlySet<string>;
  /** The variables whose values use coordinates too. */
  readonly variables: readonly InputVariable[];
};

/** The usage of an operation of a valid document. The name is empty if the document has one unnamed operation. */
export type FindOperationUsage = (document: DocumentNode, operationName: string) => OperationUsage;

/**
 * Returns a function that walks each operation once and keeps the result as long as the document. Fields that `@skip`
 * leaves out are used too: if the schema did not have them, the document would be refused.
 */
export function createOperationUsage(schema: GraphQLSchema): FindOperationUsage {
  const shapes = new InputShapes();
  const usagesByDocument = new WeakMap<DocumentNode, ReadonlyMap<string, () => OperationUsage>>();
  return (document, operationName) => {
    const usages = usagesByDocument.get(document) ?? usagesOf(document, (single) => usageOf(schema, shapes, single));
    usagesByDocument.set(document, usages);
    return usages.get(operationName)!();
  };
}

/** The coordinates that the values of an operation's variables use, without those that its document uses. */
export function coordinatesInVariables(
  { coordinates, variables }: OperationUsage,
  values: Readonly<Record<string, unknown>> | null,
): string[] {
  if (values === null || variables.length === 0) return [];
  return [...coordinatesOfValues(variables, values)].filter((coordinate) => !coordinates.has(coordinate));
}

function usagesOf(
  document: DocumentNode,
  usageOfSingle: (single: DocumentNode) => OperationUsage,
): ReadonlyMap<string, () => OperationUsage> {
  const separate = Object.entries(separateOperations(document));
  return new Map(
    separate.map(([name, single]) => {
      let usage: OperationUsage | undefined;
      return [name, () => (usage ??= usageOfSingle(single))];
    }),
  );
}

function usageOf(schema: GraphQLSchema, shapes: InputShapes, document: DocumentNode): OperationUsage {
  const definitions = document.definitions.flatMap((definition) =>
    definition.kind === 'OperationDefinition' ? (definition.variableDefinitions ?? []) : [],
  );
  return {
    operation: clientOperation(document),
    coordinates: new Set(coordinatesOf(document, schema).values()),
    variables: definitions.flatMap(({ variable, type }) => {
      const shape = shapes.of(typeFromAST(schema, type) as Parameters<InputShapes['of']>[0]);
      return shape ? [{ name: variable.name.value, shape }] : [];
    }),
  };
}
