import { readFileSync } from 'node:fs';
import { Source } from 'graphql';
import { describe, expect, it } from 'vitest';
import { elementsOf } from '../../../codegen/schema-review/elements.ts';
import { type Finding, lint } from '../../../codegen/schema-review/lint.ts';
import { RULES } from '../../../codegen/schema-review/lint-rules.ts';
import { currentSdl, schemaOf } from '../../../codegen/schema-review/sdl-version.ts';

const GOOD = `
"The operation needs a scope."
directive @requiresScope(
  "The scope."
  scope: ScopeEnum!
) on FIELD_DEFINITION
"The operation needs a token."
directive @authenticated on FIELD_DEFINITION
"The size."
directive @listSize(
  "Maximum."
  max: Int
  "Arguments."
  slicingArguments: [String!]
) on FIELD_DEFINITION | INPUT_FIELD_DEFINITION
"The length."
directive @length(
  "Minimum."
  min: Int
  "Maximum."
  max: Int!
) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION
"A number."
directive @amount(
  "Minimum."
  min: Float
  "Maximum."
  max: Float
) on INPUT_FIELD_DEFINITION
"A measure."
directive @measure on INPUT_FIELD_DEFINITION
"A currency."
directive @currency on INPUT_FIELD_DEFINITION
"A name."
directive @normalized on INPUT_FIELD_DEFINITION
"Not null."
directive @notNull on INPUT_FIELD_DEFINITION
"An own id."
directive @ownId on INPUT_FIELD_DEFINITION
"An id."
directive @reference(
  "The type."
  to: String!
  "The whole."
  partOf: String
) on INPUT_FIELD_DEFINITION
"Entries that differ."
directive @distinct(
  "The member."
  by: String!
) on INPUT_FIELD_DEFINITION
"A moment."
scalar Timestamp
"Scopes."
enum ScopeEnum {
  "Reads."
  READ_PRODUCTS
}
"Operations."
type Query {
  "Lists things. Needs the scope \`read_products\`."
  listThing(
    "Which."
    filter: ThingInput
    "How many."
    limit: Int
  ): ThingPage! @requiresScope(scope: READ_PRODUCTS) @listSize(max: 200, slicingArguments: ["limit"])
}
"A page."
type ThingPage {
  "Whether more follow."
  hasNext: Boolean!
  "The things."
  data: [Thing!]!
  "Where it ends."
  endCursor: String
}
"A thing."
type Thing {
  "When it was made."
  createdAt: Timestamp
  "Its parent."
  parent: Thing
  "Text."
  note: String @deprecated(reason: "Since 2026-11-01, until 2027-05-01: use nothing.")
}
"A filter."
input ThingInput {
  "Ids."
  ids: [String!]
  "A name."
  name: String @length(min: 1, max: 9) @normalized
  "A size."
  size: Float @amount(min: 1, max: 5)
  "A thing."
  thingId: String @reference(to: "Thing", partOf: "name")
  "Parts."
  parts: [ThingInput!] @distinct(by: "name") @listSize(max: 9)
}
`;

const NAME = '@length(min: 1, max: 9) @normalized';
const AMOUNT = 'Float @amount(min: 1, max: 5)';
const REFERENCE = '@reference(to: "Thing", partOf: "name")';

/**
 * Ways to break the rules: the rule, a text of the valid SDL, its replacement, the coordinate, words of the message.
 */
const MISTAKES: readonly (readonly [rule: string, from: string, to: string, coordinate: string, words: string])[] = [
  ['described', '  "The things."\n', '', 'ThingPage.data', 'has no description'],
  ['described', '"Which."', '"which"', 'Query.listThing(filter:)', 'in sentences'],
  ['scope-named', '@requiresScope(scope: READ_PRODUCTS) ', '', 'Query.listThing', 'needs one of'],
  [
    'scope-named',
    '@requiresScope(scope: READ',
    '@authenticated @requiresScope(scope: READ',
    'Query.listThing',
    'needs one of',
  ],
  ['scope-named', ' Needs the scope `read_products`.', '', 'Query.listThing', 'does not say'],
  [
    'type-name',
    '"A moment."\nscalar Timestamp',
    '"A moment."\nscalar Timestamp\n"X."\nscalar odd_name',
    'odd_name',
    'LikeThis',
  ],
  ['type-name', 'input ThingInput', 'input ThingFilter', 'ThingFilter', 'without Input'],
  ['type-name', 'enum ScopeEnum', 'enum Scope', 'Scope', 'without Enum'],
  ['type-name', 'type ThingPage', 'type ThingPageInput', 'ThingPageInput', 'is none'],
  ['member-name', '  note:', '  Note_text:', 'Thing.Note_text', 'likeThis'],
  [
    'member-name',
    '  READ_PRODUCTS\n',
    '  READ_PRODUCTS\n  "Writes."\n  writeRows\n',
    'ScopeEnum.writeRows',
    'LIKE_THIS',
  ],
  ['moment-is-timestamp', 'createdAt: Timestamp', 'createdAt: String', 'Thing.createdAt', 'use Timestamp'],
  ['entries-not-null', 'ids: [String!]', 'ids: [String]', 'ThingInput.ids', '[String]'],
  ['page-not-null', 'data: [Thing!]!', 'data: [Thing!]', 'ThingPage.data', 'may be null'],
  ['list-bounded', ' @listSize(max: 200, slicingArguments: ["limit"])', '', 'Query.listThing', 'returns a list'],
  ['list-bounded', 'max: 200, ', '', 'Query.listThing', 'returns a list'],
  ['rule-fits', NAME, '@length(min: 5, max: 9)', 'ThingInput.name', 'min is 0 or 1'],
  ['rule-fits', NAME, '@length(min: 1, max: 0)', 'ThingInput.name', 'min is larger than max'],
  ['rule-fits', NAME, '@length(max: -1)', 'ThingInput.name', 'min is larger than max'],
  ['rule-fits', NAME, '@normalized', 'ThingInput.name', '@normalized needs @length'],
  ['rule-fits', NAME, '@currency @length(max: 3)', 'ThingInput.name', '@currency and @length'],
  ['rule-fits', `String ${NAME}`, 'String! @notNull', 'ThingInput.name', 'may be left out'],
  ['rule-fits', `String ${NAME}`, 'String @amount', 'ThingInput.name', '@amount is not for values of type String'],
  ['rule-fits', `String ${NAME}`, 'String @listSize(max: 3)', 'ThingInput.name', '@listSize is for lists'],
  ['rule-fits', AMOUNT, 'Float @amount(min: 5, max: 2)', 'ThingInput.size', 'min is larger than max'],
  ['rule-fits', AMOUNT, 'Float @amount @measure', 'ThingInput.size', '@amount and @measure'],
  ['rule-fits', AMOUNT, 'Int @amount(min: 1)', 'ThingInput.size', '@amount is not for values of type Int'],
  ['rule-fits', AMOUNT, 'Int @measure', 'ThingInput.size', '@measure is not for values of type Int'],
  ['rule-fits', AMOUNT, 'Int @length(max: 9)', 'ThingInput.size', '@length is not for values of type Int'],
  ['rule-fits', AMOUNT, 'Boolean @currency', 'ThingInput.size', '@currency is not for values of type Boolean'],
  ['rule-fits', AMOUNT, 'Int @ownId', 'ThingInput.size', '@ownId is not for values of type Int'],
  ['rule-fits', `String ${REFERENCE}`, 'Int @reference(to: "Thing")', 'ThingInput.thingId', 'of type Int'],
  ['rule-fits', REFERENCE, '@reference(to: "Nothing")', 'ThingInput.thingId', 'no type Nothing'],
  ['rule-fits', REFERENCE, '@reference(to: "Thing", partOf: "whole")', 'ThingInput.thingId', 'no member whole'],
  ['rule-fits', '@distinct(by: "name")', '@distinct(by: "nmae")', 'ThingInput.parts', 'no member nmae'],
  ['rule-fits', '[ThingInput!] @distinct', 'ThingInput @distinct', 'ThingInput.parts', '@distinct is for lists'],
  [
    'rule-fits',
    'limit: Int',
    'limit: Int, "A." text: String @length(max: 50)',
    'Query.listThing(text:)',
    'at least 100',
  ],
  [
    'rule-fits',
    'limit: Int',
    'limit: Int, "A." text: String @length(min: 1, max: 255)',
    'Query.listThing(text:)',
    'min',
  ],
  ['rule-fits', '["limit"]', '["pagination.limit"]', 'Query.listThing', '@listSize of pagination.limit'],
  ['type-used', '"A thing."', '"B."\ntype Alone {\n  "B."\n  alone: Alone\n}\n"A thing."', 'Alone', 'used by no other'],
  ['deprecation-dated', 'Since 2026-11-01, until 2027-05-01: use nothing.', 'Use nothing.', 'Thing.note', 'form'],
  ['deprecation-dated', 'until 2027-05-01', 'until 2027-02-30', 'Thing.note', 'form'],
  ['deprecation-dated', 'until 2027-05-01', 'until 2027-04-01', 'Thing.note', 'after 151 days'],
];

describe('the SDL', () => {
  it('is checked as a whole', () => {
    expect(elementsOf(schemaOf(currentSdl())).size).toBeGreaterThan(1_000);
  });

  it('breaks no rule', () => {
    const lines = lint(currentSdl()).map(
      ({ place, coordinate, message }) => `${place.file}:${place.line}: ${coordinate} ${message}`,
    );
    expect(lines).toEqual([]);
  });
});

describe('the rules', () => {
  it('pass for a small valid SDL', () => {
    expect(findings(GOOD)).toEqual([]);
  });

  it.each(MISTAKES)('%s: replaces %j by %j', (rule, from, to, coordinate, words) => {
    const found = findings(renamed(GOOD.replace(from, to), from, to));
    expect(found.filter((finding) => finding.rule === rule)).toMatchObject([
      { coordinate, message: expect.stringContaining(words), place: { file: 'schema/thing.graphql' } },
    ]);
  });

  it('are not applied to values of directives of another type, which are mistakes of the SDL', () => {
    expect(() => findings(GOOD.replace('scope: READ_PRODUCTS)', 'scope: READ_BRANDS)'))).toThrow(
      /^schema\/thing\.graphql:\d+:\d+: Argument "@requiresScope\(scope:\)" has invalid value: .*READ_BRANDS/,
    );
  });

  it('name line and column of the element, after its description', () => {
    const found = findings(GOOD.replace('createdAt: Timestamp', 'createdAt: String'));
    const finding = found.find(({ rule }) => rule === 'moment-is-timestamp');
    const line = GOOD.split('\n').findIndex((text) => text.includes('createdAt')) + 1;
    expect(finding!.place).toEqual({ file: 'schema/thing.graphql', line, column: 3 });
  });

  it('each have a test with a mistake', () => {
    expect(RULES.map(({ name }) => name).filter((name) => !MISTAKES.some(([rule]) => rule === name))).toEqual([]);
  });

  it('are those of docs/schema-policy.md', () => {
    const rows = readFileSync('docs/schema-policy.md', 'utf8').matchAll(/^\| `([a-z-]+)` \|/gm);
    expect(Array.from(rows, ([, name]) => name)).toEqual(RULES.map(({ name }) => name));
  });
});

/** Renames the uses of a type too, if the mistake renames its definition. */
function renamed(sdl: string, from: string, to: string): string {
  const [, oldName] = /^(?:input|enum|type) (\w+)$/.exec(from) ?? [];
  const [, newName] = /^(?:input|enum|type) (\w+)$/.exec(to) ?? [];
  return oldName && newName ? sdl.replaceAll(new RegExp(`(?<=: |\\[)${oldName}\\b`, 'g'), newName) : sdl;
}

function findings(text: string): Finding[] {
  return lint({ name: 'test', sources: [new Source(text, 'schema/thing.graphql')] });
}
