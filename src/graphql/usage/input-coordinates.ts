import {
  getNamedType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
} from 'graphql';

/** A coordinate, and the last walk that has met it. */
type Mark = { readonly coordinate: string; walk: number };

/** What a value of a type may use. Scalars use nothing. */
type InputShape =
  | { readonly kind: 'enum'; readonly values: ReadonlyMap<string, Mark> }
  | { readonly kind: 'object'; readonly own: Mark; readonly members: Map<string, Member> };

type Member = { readonly mark: Mark; readonly shape: InputShape | null };

export type InputVariable = { readonly name: string; readonly shape: InputShape };

const shapes = new WeakMap<object, InputShape>();
let walks = 0;

/** Null for types of which only the variable's definition says something. */
export function inputShape(type: GraphQLInputType): InputShape | null {
  const named = getNamedType(type);
  const known = shapes.get(named);
  if (known) return known;
  if (isInputObjectType(named)) return objectShape(named);
  if (!isEnumType(named)) return null;
  const values = named.getValues().map(({ name }) => [name, markOf(`${named.name}.${name}`)] as const);
  const shape: InputShape = { kind: 'enum', values: new Map(values) };
  shapes.set(named, shape);
  return shape;
}

/** Registered before its members, because input types may contain themselves. */
function objectShape(type: GraphQLInputObjectType): InputShape {
  const shape = { kind: 'object', own: markOf(type.name), members: new Map<string, Member>() } as const;
  shapes.set(type, shape);
  for (const field of Object.values(type.getFields()))
    shape.members.set(field.name, {
      mark: markOf(`${type.name}.${field.name}`),
      shape: inputShape(field.type),
    });
  return shape;
}

function markOf(coordinate: string): Mark {
  return { coordinate, walk: 0 };
}

/**
 * The distinct coordinates that the values of variables use: input objects, their members, and enum values. Ignores
 * what the schema does not have. Visits each value once, without recursion: values need not be valid, and may be nested
 * to any depth.
 */
export function coordinatesOfValues(
  variables: readonly InputVariable[],
  values: Readonly<Record<string, unknown>>,
): string[] {
  const found: string[] = [];
  const walk = ++walks;
  const use = (mark: Mark): void => {
    if (mark.walk === walk) return;
    mark.walk = walk;
    found.push(mark.coordinate);
  };
  const pending: { shape: InputShape; value: unknown }[] = [];
  const visit = (shape: InputShape, value: unknown): void => {
    if (typeof value === 'object' && value !== null) pending.push({ shape, value });
    else if (typeof value === 'string' && shape.kind === 'enum') {
      const mark = shape.values.get(value);
      if (mark) use(mark);
    }
  };
  for (const { name, shape } of variables) if (Object.hasOwn(values, name)) visit(shape, values[name]);
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { shape, value } = next;
    if (Array.isArray(value)) for (const entry of value) visit(shape, entry);
    else if (shape.kind === 'object') visitMembers(shape, value as Record<string, unknown>, use, visit);
  }
  return found;
}

function visitMembers(
  { own, members }: InputShape & { kind: 'object' },
  record: Readonly<Record<string, unknown>>,
  use: (mark: Mark) => void,
  visit: (shape: InputShape, value: unknown) => void,
): void {
  use(own);
  for (const name of Object.keys(record)) {
    const member = members.get(name);
    if (!member) continue;
    use(member.mark);
    if (member.shape) visit(member.shape, record[name]);
  }
}
