import { type DocumentNode, type GraphQLSchema, NoDeprecatedCustomRule, validate } from 'graphql';

export type DeprecatedUse = {
  readonly message: string;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
};

/** Uses of deprecated fields, arguments, members of inputs and enum values in a valid document. */
export function deprecationsOf(schema: GraphQLSchema, document: DocumentNode): DeprecatedUse[] {
  const uses = validate(schema, document, [NoDeprecatedCustomRule]);
  return uses.map(({ message, locations }) => ({ message, ...(locations && { locations }) }));
}
