import {
  type DocumentNode,
  getNamedType,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  typeFromAST,
} from 'graphql';
import { withoutRepeatedEntries } from '../document/distinct-entries.ts';
import { clientOperation, type ClientOperation } from './client-operation.ts';
import { coordinatesOf } from './coordinates.ts';

/** What an operation uses of the schema, whatever the values of its variables are. */
export type OperationUsage = {
  /** Null if its text is too long to be kept. */
  readonly operation: ClientOperation | null;
  readonly coordinates: ReadonlySet<string>;
  /** The variables whose values use coordinates too. */
  readonly variables: readonly InputVariable[];
};

/** The coordinates that values of an input type use. Scalars use none. */
type InputShape =
  | { readonly kind: 'enum'; readonly type: GraphQLEnumType }
  | { readonly kind: 'object'; readonly coordinate: string; readonly members: Map<string, Member> };

type Member = { readonly coordinate: string; readonly shape: InputShape | null };

type InputVariable = { readonly name: string; readonly shape: InputShape };

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

/**
 * The coordinates that the values of an operation's variables use, without those that its document uses: input objects,
 * their members, and enum values. Members and values that the schema does not have are ignored. Visits each value once,
 * without recursion: values need not be valid, and may be nested to any depth.
 */
export function coordinatesInVariables(
  { coordinates, variables }: OperationUsage,
  values: Readonly<Record<string, unknown>> | null,
): string[] {
  if (values === null || variables.length === 0) return [];
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
  return [...found].filter((coordinate) => !coordinates.has(coordinate));
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
