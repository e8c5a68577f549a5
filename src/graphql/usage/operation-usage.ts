import { type DocumentNode, type GraphQLSchema, typeFromAST } from 'graphql';
import { withoutRepeatedEntries } from '../document/distinct-entries.ts';
import { clientOperation, type ClientOperation } from './client-operation.ts';
import { coordinatesOf } from './coordinates.ts';
import { coordinatesOfValues, type InputShapes, type InputVariable } from './input-coordinates.ts';

/** What an operation uses of the schema, whatever the values of its variables are. */
export type OperationUsage = {
  /** Null if its text is too long to be kept. */
  readonly operation: ClientOperation | null;
  readonly coordinates: ReadonlySet<string>;
  /** The variables whose values use coordinates too. */
  readonly variables: readonly InputVariable[];
};

/** The coordinates that the values of an operation's variables use, without those that its document uses. */
export function coordinatesInVariables(
  { coordinates, variables }: OperationUsage,
  values: Readonly<Record<string, unknown>> | null,
): string[] {
  if (values === null || variables.length === 0) return [];
  return [...coordinatesOfValues(variables, values)].filter((coordinate) => !coordinates.has(coordinate));
}

/**
 * Fields that `@skip` leaves out are used too: if the schema did not have them, the document would be refused. The
 * document has one operation.
 */
export function usageOf(schema: GraphQLSchema, shapes: InputShapes, document: DocumentNode): OperationUsage {
  const definitions = document.definitions.flatMap((definition) =>
    definition.kind === 'OperationDefinition' ? (definition.variableDefinitions ?? []) : [],
  );
  const short = withoutRepeatedEntries(document);
  return {
    operation: clientOperation(short),
    coordinates: new Set(coordinatesOf(short, schema).values()),
    variables: definitions.flatMap(({ variable, type }) => {
      const shape = shapes.of(typeFromAST(schema, type) as Parameters<InputShapes['of']>[0]);
      return shape ? [{ name: variable.name.value, shape }] : [];
    }),
  };
}
