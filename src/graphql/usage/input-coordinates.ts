import {
  getNamedType,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
} from 'graphql';

/** The coordinates that values of an input type use. Scalars use none. */
type InputShape =
  | { readonly kind: 'enum'; readonly type: GraphQLEnumType }
  | { readonly kind: 'object'; readonly coordinate: string; readonly members: Map<string, Member> };

type Member = { readonly coordinate: string; readonly shape: InputShape | null };

export type InputVariable = { readonly name: string; readonly shape: InputShape };

/** The shapes of the input types of one schema. Each is made when a variable first has the type. */
export class InputShapes {
  readonly #known = new Map<GraphQLNamedType, InputShape>();

  /** Null for types whose values use no coordinates: the type of the variable stands in its definition. */
  of(type: GraphQLInputType): InputShape | null {
    const named = getNamedType(type);
    const known = this.#known.get(named);
    if (known) return known;
    if (isInputObjectType(named)) return this.#objectShape(named);
    if (!isEnumType(named)) return null;
    const shape: InputShape = { kind: 'enum', type: named };
    this.#known.set(named, shape);
    return shape;
  }

  /** The shape is registered before its members are made, because input types may contain themselves. */
  #objectShape(type: GraphQLInputObjectType): InputShape {
    const shape = { kind: 'object', coordinate: type.name, members: new Map<string, Member>() } as const;
    this.#known.set(type, shape);
    for (const { name, type: memberType } of Object.values(type.getFields()))
      shape.members.set(name, { coordinate: `${type.name}.${name}`, shape: this.of(memberType) });
    return shape;
  }
}

/**
 * The coordinates that the values of variables use: input objects, their members, and enum values. Members and values
 * that the schema does not have are ignored. Visits each value once, without recursion: values need not be valid, and
 * may be nested to any depth.
 */
export function coordinatesOfValues(
  variables: readonly InputVariable[],
  values: Readonly<Record<string, unknown>>,
): Set<string> {
  const found = new Set<string>();
  const pending: { shape: InputShape; value: unknown }[] = [];
  const visit = (shape: InputShape, value: unknown): void => {
    if (typeof value === 'object' && value !== null) pending.push({ shape, value });
    else if (typeof value === 'string' && shape.kind === 'enum') {
      const name = shape.type.getValue(value)?.name;
      if (name !== undefined) found.add(`${shape.type.name}.${name}`);
    }
  };
  for (const { name, shape } of variables) if (Object.hasOwn(values, name)) visit(shape, values[name]);
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { shape, value } = next;
    if (Array.isArray(value)) for (const entry of value) visit(shape, entry);
    else if (shape.kind === 'object') visitMembers(shape, value as Record<string, unknown>, found, visit);
  }
  return found;
}

function visitMembers(
  { coordinate: own, members }: InputShape & { kind: 'object' },
  record: Readonly<Record<string, unknown>>,
  found: Set<string>,
  visit: (shape: InputShape, value: unknown) => void,
): void {
  found.add(own);
  for (const name of Object.keys(record)) {
    const member = members.get(name);
    if (!member) continue;
    found.add(member.coordinate);
    if (member.shape) visit(member.shape, record[name]);
  }
}
