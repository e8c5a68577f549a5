import fc, { type Arbitrary } from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';

const maxDepth = 6;

/** Valid texts for members that refuse most other texts. */
const textsByName: Record<string, string[]> = {
  after: ['product', 'customer', 'product_brand'].flatMap((list) => [
    cursorOf(list, '-createdAt', String(Date.now())),
    cursorOf(list, 'name', 'Shirt'),
    cursorOf(list, '-updatedAt', '0'),
  ]),
  sort: ['name', '-name', 'createdAt', '-updatedAt', 'firstName'],
  scope: ['store/customer/created', 'store/product/updated', 'store/stock/created'],
  scopes: [
    'store/customer/created',
    'store/customer/updated',
    'store/product/created',
    'store/product/updated',
    'store/stock/updated',
  ],
  endpoint: ['https://shop.invalid/hook', 'https://shop.invalid/other'],
};
/** Almost valid texts for such members. */
const awkwardTextsByName: Record<string, string[]> = {
  after: ['999999999999999', '-62135596800001', 'x', '\0', '\ud800'].flatMap((key) => [
    cursorOf('product', '-createdAt', key),
    cursorOf('product', 'name', key),
    cursorOf('stock_movement', '-recorded', key),
  ]),
  endpoint: [
    'http://shop.invalid',
    'https://127.0.0.1/',
    'https://[::1]:1',
    'https://user:x@shop.invalid',
    'file:///etc/passwd',
    `https://shop.invalid/${'x'.repeat(3_000)}`,
  ],
};

export const awkwardTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff',
  '%',
  '_',
  '\\',
  "'",
  "'; drop table product; --",
  '"',
  '{"a":1}',
  'null',
  '-1',
  '1e400',
  'NaN',
  '../../etc/passwd',
  '<script>',
  'ß',
  'İ',
  'ﬀ',
  '\u202e',
  'e\u0301',
  '👩‍👩‍👧',
  '\u{1f3fb}',
  '00000000-0000-0000-0000-000000000000',
  '018f0000-0000-7000-8000-000000000000',
  '018F0000-0000-7000-8000-00000000000G',
  '-createdAt',
  'createdAt; select 1',
  '__proto__',
  'x'.repeat(256),
  'x'.repeat(2_100),
  'x'.repeat(70_000),
];
const awkwardNumbers = [
  0,
  -0,
  -1,
  0.1,
  0.1 + 0.2,
  9_999_999_999_999,
  1e13,
  1e-6,
  1e-7,
  1e-12,
  5e-324,
  1e15,
  9007199254740991,
  1e21,
  1e30,
  1.7976931348623157e308,
  2_147_483_647,
  2_147_483_648,
];

/** Generators of scalar values. `id`: for the id of the record itself, which is mostly left out. */
export type Leaves = {
  id: Arbitrary<string | null>;
  text: Arbitrary<string>;
  textsByName: Record<string, string[]>;
  float: Arbitrary<number>;
  int: Arbitrary<number>;
  moment: Arbitrary<number>;
};

/**
 * Arguments with valid GraphQL types. Half of them are like those of clients, half are unusual. `ids`: ids of existing
 * records.
 */
export function argumentsOf(
  args: readonly GraphQLArgument[],
  ids: readonly string[],
): Arbitrary<Record<string, unknown>> {
  return fc.oneof(
    ...[usual(ids), awkward(ids)].map((leaves) =>
      fc.record(Object.fromEntries(args.map(({ name, type }) => [name, memberOf(name, type, leaves, 0)]))),
    ),
  );
}

export function usual(ids: readonly string[]): Leaves {
  return {
    id: fc.constantFrom(null, null, null, ...ids),
    textsByName,
    text: fc.oneof(
      fc.constantFrom(
        'Shirt',
        'shirt',
        'A B',
        'Ş',
        'de',
        'en',
        '#ff0000',
        'https://shop.invalid/a.png',
        'name',
        '-createdAt',
        'EUR',
      ),
      fc.constantFrom('a', ...ids),
      fc.stringMatching(/^[a-z0-9-]{1,12}$/),
    ),
    float: fc.oneof(
      fc.integer({ min: 0, max: 1_000 }),
      fc.integer({ min: 0, max: 100_000 }).map((cents) => cents / 100),
    ),
    int: fc.integer({ min: 0, max: 60 }),
    moment: fc.integer({ min: 1_500_000_000_000, max: 1_900_000_000_000 }),
  };
}

export function awkward(ids: readonly string[]): Leaves {
  return {
    id: fc.constantFrom(null, null, ...awkwardTexts, ...ids),
    textsByName: awkwardTextsByName,
    text: fc.oneof(
      fc.constantFrom(...awkwardTexts, ...ids),
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
    ),
    float: fc.oneof(fc.constantFrom(...awkwardNumbers), fc.double({ noNaN: true, noDefaultInfinity: true })),
    int: fc.oneof(fc.integer(), fc.integer({ min: -1, max: 300 })),
    moment: fc.constantFrom(0, -1, -62_135_596_800_000, 253_402_300_799_999),
  };
}

/** The value of an argument or a member of this name. */
export function memberOf(name: string, type: GraphQLInputType, leaves: Leaves, depth: number): Arbitrary<unknown> {
  const texts = leaves.textsByName[name];
  return valueOf(
    type,
    texts ? { ...leaves, text: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...texts) }, leaves.text) } : leaves,
    depth,
  );
}

function valueOf(type: GraphQLInputType, leaves: Leaves, depth: number): Arbitrary<unknown> {
  if (isNonNullType(type)) return present(type.ofType, leaves, depth);
  return fc.option(present(type, leaves, depth), { nil: null, freq: 4 });
}

function present(type: GraphQLInputType, leaves: Leaves, depth: number): Arbitrary<unknown> {
  if (isListType(type))
    return fc.array(valueOf(type.ofType, leaves, depth + 1), { maxLength: depth > maxDepth ? 0 : 3 });
  if (isInputObjectType(type)) return recordOf(type, leaves, depth);
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => name));
  if (String(type) === 'Boolean') return fc.boolean();
  if (String(type) === 'Int') return leaves.int;
  if (String(type) === 'Float') return leaves.float;
  return String(type) === 'Timestamp' ? leaves.moment : leaves.text;
}

function recordOf(
  type: { getFields(): Record<string, { type: GraphQLInputType }> },
  leaves: Leaves,
  depth: number,
): Arbitrary<unknown> {
  const fields = Object.entries(type.getFields()).filter(([, field]) => depth <= maxDepth || isNonNullType(field.type));
  const required = fields.filter(([, field]) => isNonNullType(field.type)).map(([name]) => name);
  const members = Object.fromEntries(
    fields.map(([name, field]) => [
      name,
      name === 'id' && !isNonNullType(field.type) ? leaves.id : memberOf(name, field.type, leaves, depth + 1),
    ]),
  );
  return fc.record(members, { requiredKeys: required as never[] });
}

function cursorOf(list: string, sort: string, key: string): string {
  return Buffer.from(JSON.stringify([list, sort, key, '018f0000-0000-7000-8000-000000000000'])).toString('base64url');
}
