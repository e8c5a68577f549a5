import fc, { type Arbitrary } from 'fast-check';
import {
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { awkward, type Leaves, memberOf, usual } from '../support/arbitrary.ts';
import { operations } from '../support/operation.ts';
import { type Choices, choices, spoiled } from './choices.ts';

export type GraphQLBody = { query: string; variables?: unknown; operationName?: unknown };

const MAX_DEPTH = 6;
const FIELDS_MAX = 150;
const NUMBERS = [
  '1e400',
  '-1e400',
  '1e-400',
  '0.1e-999',
  '123456789012345678901234567890',
  '00',
  '1.',
  '.5',
  '0x1',
  '-',
  '1e',
];
const WRONG_VALUES: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  '',
  'x',
  [],
  {},
  [[]],
  [null],
  { id: 1 },
  '__proto__',
  { constructor: { prototype: { polluted: true } } },
];
const WRONG_LITERALS = [
  'null',
  'true',
  'UNKNOWN',
  '$missing',
  '{}',
  '[]',
  '[[null]]',
  '""',
  '"""block"""',
  '{ a: 1, a: 2 }',
  ...NUMBERS,
];
const WRONG_DIRECTIVES = [
  '@unknown',
  '@skip',
  '@skip(if: 1)',
  '@include(if: true) @include(if: false)',
  '@deprecated',
  '@skip(if: $missing)',
];

/** A document that is being written. */
type Draft = Choices & {
  leaves: Leaves;
  fragments: string[];
  declared: string[];
  variables: [string, unknown][];
  fieldsLeft: number;
  isNearlyValid: boolean;
};

/** Documents for the schema: valid ones, and ones with a few mistakes. `ids`: of existing records. */
export function documents(ids: readonly string[]): Arbitrary<GraphQLBody> {
  return fc.gen().map((draw) => {
    const given = choices(draw);
    const leaves = given.chance(60) ? usual(ids) : awkward(ids);
    return document({
      ...given,
      leaves,
      fragments: [],
      declared: [],
      variables: [],
      fieldsLeft: FIELDS_MAX,
      isNearlyValid: given.chance(30),
    });
  });
}

function document(draft: Draft): GraphQLBody {
  const { oneOf, chance, upTo } = draft;
  const kind = oneOf('query', 'query', 'mutation', 'mutation', 'mutation');
  const roots = Array.from({ length: mistakes(draft, 5) ? oneOf(0, 20, 40) : 1 + upTo(oneOf(0, 0, 3)) }, (_, index) =>
    rootField(draft, kind, index),
  );
  const name = chance(50) ? oneOf('Q', 'q', '_') : '';
  const declared = draft.declared.length > 0 ? `(${draft.declared.join(', ')})` : '';
  const operation = `${mistakes(draft, 3) ? oneOf('subscription', '', 'QUERY') : kind} ${name === '' && declared !== '' ? 'q' : name}${declared}${directives(draft)} { ${roots.join(' ')} }`;
  const text = [
    operation,
    ...draft.fragments,
    ...(mistakes(draft, 5)
      ? [oneOf(operation, 'fragment U on Query { __typename }', 'type T { a: Int }', 'extend schema @a')]
      : []),
  ].join(oneOf('\n', ' ', '\r\n#comment\n'));
  return {
    query: mistakes(draft, 15) ? spoiled(draft, text) : text,
    ...(draft.variables.length > 0 || chance(10)
      ? { variables: mistakes(draft, 5) ? oneOf(...WRONG_VALUES) : Object.fromEntries(draft.variables) }
      : {}),
    ...(chance(10) ? { operationName: mistakes(draft, 50) ? oneOf<unknown>('other', 1, '', null) : name || null } : {}),
  };
}

function rootField(draft: Draft, kind: string, index: number): string {
  const names = [...operations].filter(([, operation]) => operation.kind === kind).map(([name]) => name);
  const name = mistakes(draft, 3) ? draft.oneOf('__schema', 'unknown', '__type', '__typename') : draft.oneOf(...names);
  const { field } = operations.get(name) ?? {};
  const alias =
    index > 0 || draft.chance(20)
      ? `${draft.oneOf('a', 'b', '__proto__', 'constructor')}${mistakes(draft, 10) ? '' : index}: `
      : '';
  if (!field) return `${alias}${name}${draft.oneOf('', ' { name }', '(name: "Query") { name fields { name } }')}`;
  return `${alias}${name}${argumentsOf(draft, field.args)}${directives(draft)}${selection(draft, field.type, 1)}`;
}

function argumentsOf(draft: Draft, args: readonly GraphQLArgument[]): string {
  const sent = args.filter(({ type }) => (isNonNullType(type) ? !mistakes(draft, 5) : draft.chance(35)));
  const texts = sent.map(
    (member) => `${mistakes(draft, 3) ? `${member.name}x` : member.name}: ${argument(draft, member)}`,
  );
  return texts.length === 0 ? '' : `(${texts.join(draft.oneOf(', ', ' '))})`;
}

/** A literal, or a variable, which it declares. */
function argument(draft: Draft, member: GraphQLArgument): string {
  const { type } = member;
  const value = draft.draw(() => memberOf(member.name, type, draft.leaves, 0));
  if (draft.chance(50)) return literal(draft, type, value);
  const name = mistakes(draft, 5) ? draft.oneOf('v0', '__proto__') : `v${draft.declared.length}`;
  const declaredType = mistakes(draft, 5)
    ? draft.oneOf('Int', '[String!]', 'Unknown', 'Product', `[${String(type)}]`, 'SalesChannelFilterInput')
    : String(type);
  const fallback = draft.chance(10) ? ` = ${literal(draft, getNullableType(type), value)}` : '';
  draft.declared.push(`$${name}: ${declaredType}${fallback}`);
  if (!mistakes(draft, 5)) draft.variables.push([name, mistakes(draft, 5) ? draft.oneOf(...WRONG_VALUES) : value]);
  return `$${name}`;
}

function literal(draft: Draft, type: GraphQLInputType, value: unknown): string {
  if (mistakes(draft, 2)) return draft.oneOf(...WRONG_LITERALS);
  const nullable = getNullableType(type);
  if (value === null || value === undefined) return 'null';
  if (isListType(nullable))
    return Array.isArray(value)
      ? `[${value.map((entry) => literal(draft, nullable.ofType, entry)).join(', ')}]`
      : literal(draft, nullable.ofType, value);
  if (isInputObjectType(nullable)) {
    const fields = nullable.getFields();
    const members = Object.entries(value).map(
      ([name, member]) => `${name}: ${literal(draft, fields[name]!.type, member)}`,
    );
    return `{ ${members.join(', ')} }`;
  }
  if (isEnumType(nullable)) return String(value as string);
  return typeof value === 'number' && mistakes(draft, 10) ? draft.oneOf(...NUMBERS) : JSON.stringify(value);
}

function selection(draft: Draft, type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return mistakes(draft, 2) ? ' { __typename }' : '';
  if (mistakes(draft, 2))
    return draft.oneOf('', ' { }', ' { unknown }', ' { ...Unknown }', ' { ... on Customer { id } }');
  return ` { ${members(draft, named, depth)} }`;
}

function members(draft: Draft, type: GraphQLObjectType, depth: number): string {
  const all = Object.values(type.getFields());
  const wanted = draft.chance(10) ? all : Array.from({ length: 1 + draft.upTo(5) }, () => draft.oneOf(...all));
  const texts = wanted.flatMap((field) => {
    const isRecord = isObjectType(getNamedType(field.type));
    if (draft.fieldsLeft-- < 0 || (isRecord && depth >= MAX_DEPTH && !mistakes(draft, 30))) return [];
    const alias = draft.chance(5) ? `${draft.oneOf('a', 'b', 'id', '__proto__')}: ` : '';
    return [`${alias}${field.name}${directives(draft)}${selection(draft, field.type, depth + 1)}`];
  });
  return fragment(draft, type, texts.length > 0 ? texts.join(' ') : '__typename');
}

/** The selection itself, or a fragment with it, which may spread itself as a mistake. */
function fragment(draft: Draft, type: GraphQLObjectType, text: string): string {
  if (draft.chance(85)) return text;
  const on = mistakes(draft, 5) ? draft.oneOf('Query', 'String', 'Unknown', 'ProductInput') : type.name;
  if (draft.chance(50)) return `...${draft.oneOf('', ` on ${on}`)}${directives(draft)} { ${text} }`;
  const name = `F${draft.fragments.length}`;
  draft.fragments.push(`fragment ${name} on ${on} { ${text} ${mistakes(draft, 10) ? `...F${draft.upTo(3)}` : ''} }`);
  return draft.oneOf(`...${name}`, `...${name} ...${name}`, `__typename ...${name}${directives(draft)}`);
}

function directives(draft: Draft): string {
  if (draft.chance(93)) return '';
  return mistakes(draft, 30)
    ? ` ${draft.oneOf(...WRONG_DIRECTIVES)}`
    : ` ${draft.oneOf('@skip(if: false)', '@include(if: true)', '@skip(if: true)', '@include(if: false)')}`;
}

/** Whether to make a mistake here: at `percent` of the places in documents that may have mistakes. */
function mistakes({ isNearlyValid, chance }: Draft, percent: number): boolean {
  return isNearlyValid && chance(percent);
}
