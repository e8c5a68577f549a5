import {
  type ConstDirectiveNode,
  type GraphQLArgument,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  getLocation,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
  type Location,
} from 'graphql';

export type Kind = 'type' | 'field' | 'argument' | 'input field' | 'enum value' | 'directive';
export type Form = 'object' | 'input' | 'enum' | 'other';
export type Place = { readonly file: string; readonly line: number; readonly column: number };

/** A part of the schema that has a coordinate. */
export type Element = {
  readonly coordinate: string;
  readonly kind: Kind;
  readonly name: string;
  readonly description: string | null;
  readonly deprecationReason: string | null;
  /** The form of a type; null for other elements. */
  readonly form: Form | null;
  /** The type of a field, argument or input field as the SDL writes it; null for other elements. */
  readonly type: string | null;
  readonly directives: readonly ConstDirectiveNode[];
  readonly place: Place;
};

/** A member of an input that is saved: filters are inputs too, and have other rules. */
export function isSavedMember({ kind, coordinate }: Pick<Element, 'kind' | 'coordinate'>): boolean {
  return kind === 'input field' && !/FilterInput\./.test(coordinate);
}

type Parsed = {
  readonly name: string;
  readonly description?: string | null;
  readonly deprecationReason?: string | null;
  readonly type?: GraphQLType;
  readonly astNode?: { readonly loc?: Location; readonly directives?: readonly ConstDirectiveNode[] } | null;
};

/** All parts of a schema by their coordinates, in the order of the SDL. */
export function elementsOf(schema: GraphQLSchema): ReadonlyMap<string, Element> {
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  );
  const directives = schema.getDirectives().filter((directive) => !isSpecifiedDirective(directive));
  const elements = [
    ...types.flatMap((type) => [{ ...element('type', type.name, type), form: formOf(type) }, ...membersOf(type)]),
    ...directives.flatMap((directive) => [
      element('directive', `@${directive.name}`, directive),
      ...argumentsOf(`@${directive.name}`, directive.args),
    ]),
  ];
  return new Map(elements.map((one) => [one.coordinate, one]));
}

function formOf(type: GraphQLNamedType): Form {
  if (isInputObjectType(type)) return 'input';
  if (isEnumType(type)) return 'enum';
  return isObjectType(type) ? 'object' : 'other';
}

function membersOf(type: GraphQLNamedType): Element[] {
  if (isEnumType(type))
    return type.getValues().map((value) => element('enum value', `${type.name}.${value.name}`, value));
  if (isInputObjectType(type))
    return Object.values(type.getFields()).map((field) => element('input field', `${type.name}.${field.name}`, field));
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) => {
    const coordinate = `${type.name}.${field.name}`;
    return [element('field', coordinate, field), ...argumentsOf(coordinate, field.args)];
  });
}

function argumentsOf(owner: string, args: readonly GraphQLArgument[]): Element[] {
  return args.map((argument) => element('argument', `${owner}(${argument.name}:)`, argument));
}

function element(kind: Kind, coordinate: string, parsed: Parsed): Element {
  const { name, description = null, deprecationReason = null, type, astNode } = parsed;
  return {
    coordinate,
    kind,
    name,
    description,
    deprecationReason,
    form: null,
    type: type?.toString() ?? null,
    directives: astNode?.directives ?? [],
    place: placeOf(astNode?.loc),
  };
}

/** `Product` of `[Product!]!`. */
export function namedType(type: string | null): string | null {
  return type?.replace(/[[\]!]/g, '') ?? null;
}

/** The place where the element itself begins, after its description. */
export function placeOf(loc: Location | null | undefined): Place {
  if (!loc) return { file: '', line: 0, column: 0 };
  const { source, startToken } = loc;
  const isDescription = startToken.kind === 'String' || startToken.kind === 'BlockString';
  const { line, column } = getLocation(source, (isDescription && startToken.next ? startToken.next : startToken).start);
  return { file: source.name, line, column };
}
