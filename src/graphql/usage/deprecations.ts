import {
  type ASTNode,
  type DocumentNode,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import { readDeprecation } from '../schema/deprecation.ts';
import { coordinatesOf } from './coordinates.ts';
import { coordinatesInVariables, type OperationUsage } from './operation-usage.ts';

type Location = { readonly line: number; readonly column: number };

/** A deprecated field, argument, member of an input or enum value that a request uses. */
export type DeprecatedUse = {
  readonly coordinate: string;
  readonly reason: string;
  /** The day of the deprecation; null if the reason does not name it. */
  readonly since: string | null;
  /** The first day on which the member may be removed; null if the reason does not name it. */
  readonly until: string | null;
  readonly message: string;
  /** The places in the document. Empty if only the variables use the member. */
  readonly locations: readonly Location[];
};

/** An operation of a valid document, which has no other one. */
export type UsedOperation = {
  readonly document: DocumentNode;
  readonly usage: OperationUsage;
  readonly variables: Readonly<Record<string, unknown>> | null;
};

export type FindDeprecations = (request: UsedOperation) => DeprecatedUse[];

type Deprecated = { readonly kind: string; readonly reason: string };
type Member = { readonly name: string; readonly deprecationReason?: string | null };

/**
 * Returns a function that finds the deprecated members which an operation of a valid document and its variables use, in
 * the order of the document. Null if the schema has no deprecated members.
 */
export function createFindDeprecations(schema: GraphQLSchema): FindDeprecations | null {
  const deprecated = deprecatedIn(schema);
  if (deprecated.size === 0) return null;
  return ({ document, usage, variables }) => {
    const nodes = [...coordinatesOf(document, schema)];
    const locations = Map.groupBy(nodes, ([, coordinate]) => coordinate);
    const inVariables = coordinatesInVariables(usage, variables);
    return [...locations.keys(), ...inVariables].flatMap((coordinate) => {
      const found = deprecated.get(coordinate);
      const places = locations.get(coordinate) ?? [];
      return found
        ? [
            useOf(
              coordinate,
              found,
              places.flatMap(([node]) => locationOf(node)),
            ),
          ]
        : [];
    });
  };
}

function useOf(coordinate: string, { kind, reason }: Deprecated, locations: Location[]): DeprecatedUse {
  const { since = null, until = null } = readDeprecation(reason) ?? {};
  const message = `The ${kind} ${coordinate} is deprecated. ${reason}`;
  return { coordinate, reason, since, until, message, locations };
}

/** Line and column as the lexer counted them: `getLocation` would read the text from its beginning for each node. */
function locationOf({ loc }: ASTNode): Location[] {
  return loc ? [{ line: loc.startToken.line, column: loc.startToken.column }] : [];
}

function deprecatedIn(schema: GraphQLSchema): ReadonlyMap<string, Deprecated> {
  const found = new Map<string, Deprecated>();
  const add = (kind: string, coordinate: string, { deprecationReason }: Member): void => {
    if (deprecationReason != null) found.set(coordinate, { kind, reason: deprecationReason });
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (isEnumType(type)) for (const value of type.getValues()) add('enum value', `${type.name}.${value.name}`, value);
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) add('input field', `${type.name}.${field.name}`, field);
    if (isObjectType(type)) {
      for (const field of Object.values(type.getFields())) {
        add('field', `${type.name}.${field.name}`, field);
        for (const argument of field.args) add('argument', `${type.name}.${field.name}(${argument.name}:)`, argument);
      }
    }
  }
  return found;
}
