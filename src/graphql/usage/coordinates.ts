import {
  type ASTNode,
  type DocumentNode,
  getNamedType,
  type GraphQLSchema,
  isIntrospectionType,
  isSpecifiedScalarType,
  type NamedTypeNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

const INTROSPECTION = /(?:^|\.)__/;

/**
 * The schema coordinates of the nodes of a valid document: of fields, arguments, input objects and their members, enum
 * values, and the types that it names. Nodes of introspection, directives and standard scalars have none.
 */
export function coordinatesOf(document: DocumentNode, schema: GraphQLSchema): ReadonlyMap<ASTNode, string> {
  const info = new TypeInfo(schema);
  const coordinates = new Map<ASTNode, string>();
  const enter = (node: ASTNode): void => {
    const coordinate = coordinateOf(node, info, schema);
    if (coordinate !== null) coordinates.set(node, coordinate);
  };
  visit(document, visitWithTypeInfo(info, { enter }));
  return coordinates;
}

function coordinateOf(node: ASTNode, info: TypeInfo, schema: GraphQLSchema): string | null {
  const field = `${info.getParentType()?.name}.${info.getFieldDef()?.name}`;
  if (info.getDirective() || INTROSPECTION.test(field)) return null;
  switch (node.kind) {
    case 'Field':
      return field;
    case 'Argument':
      return `${field}(${node.name.value}:)`;
    case 'ObjectValue':
      return getNamedType(info.getInputType())?.name ?? null;
    case 'ObjectField':
      return `${getNamedType(info.getParentInputType())?.name}.${node.name.value}`;
    case 'EnumValue':
      return `${getNamedType(info.getInputType())?.name}.${info.getEnumValue()?.name}`;
    case 'NamedType':
      return isIntrospectionOrScalar(schema, node) ? null : writtenTypeName(node);
    default:
      return null;
  }
}

function isIntrospectionOrScalar(schema: GraphQLSchema, { name }: NamedTypeNode): boolean {
  const type = schema.getType(name.value);
  return type !== undefined && (isIntrospectionType(type) || isSpecifiedScalarType(type));
}

/** The name of a type as the client wrote it, where it is an alias that was replaced by the name of the type. */
export function writtenTypeName({ name }: NamedTypeNode): string {
  return name.loc?.startToken.value ?? name.value;
}
