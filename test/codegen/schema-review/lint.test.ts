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
) on FIELD_DEFINITION
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
}
`;

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
  return oldName && newName ? sdl.replaceAll(new RegExp(`: ${oldName}\\b`, 'g'), `: ${newName}`) : sdl;
}

function findings(text: string): Finding[] {
  return lint({ name: 'test', sources: [new Source(text, 'schema/thing.graphql')] });
}
