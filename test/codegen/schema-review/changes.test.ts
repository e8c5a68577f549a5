import { buildASTSchema, type GraphQLSchema, Source } from 'graphql';
import { describe, expect, it } from 'vitest';
import { type Change, findChanges } from '../../../codegen/schema-review/changes.ts';
import { parseSdl } from '../../../src/graphql/schema/sdl.ts';

const NOW = new Date('2027-06-01T12:00:00Z');
const ENDED = '@deprecated(reason: "Since 2026-11-01, until 2027-06-01: use `name`.")';
const RUNNING = '@deprecated(reason: "Since 2026-11-01, until 2027-06-02: use `name`.")';

const BASE = `
directive @requiresScope(scope: Scope!) on FIELD_DEFINITION
directive @authenticated on FIELD_DEFINITION directive @requiresScopeOfArguments on FIELD_DEFINITION
directive @aliases(names: [String!]!) on INPUT_OBJECT | ENUM_VALUE
directive @length(max: Int!, unused: Int) on ARGUMENT_DEFINITION
directive @listSize(max: Int, assumedSize: Int) on FIELD_DEFINITION | ARGUMENT_DEFINITION
directive @cost(weight: String!) on FIELD_DEFINITION
enum Scope { READ_PRODUCTS WRITE_PRODUCTS }
type Query {
  list(id: Filter, text: String @length(max: 255), ids: [String!] @listSize(max: 100)): [Thing!]! @listSize(assumedSize: 50) @requiresScope(scope: READ_PRODUCTS) @cost(weight: "10")
  own: Thing @authenticated
}
input Filter @aliases(names: ["Other"]) { eq: String, order: Order, of: Int! }
type Thing { id: ID!, name: String!, old: String, kind: Kind, part: Part }
type Part { size: Float }
enum Kind { A B }
enum Order { UP @aliases(names: ["ASC"]) }
`;

describe('a change', () => {
  it.each<[string, string, string, Change['severity'], string, string]>([
    ['a removed field', 'old: String,', '', 'breaking', 'Thing.old', 'Field Thing.old was removed.'],
    ['a field that may be null', 'name: String!', 'name: String', 'breaking', 'Thing.name', 'String! to String'],
    ['a removed argument', 'id: Filter, ', '', 'breaking', 'Query.list(id:)', 'was removed'],
    ['a required argument', 'own: Thing', 'own(id: ID!): Thing', 'breaking', 'Query.own(id:)', 'required'],
    ['a required input member', 'eq: String', 'eq: String!', 'breaking', 'Filter.eq', 'String to String!'],
    ['a removed enum value', 'A B', 'A', 'breaking', 'Kind.B', 'Enum value Kind.B was removed.'],
    ['another scope', 'scope: READ_PRODUCTS)', 'scope: WRITE_PRODUCTS)', 'breaking', 'Query.list', 'write_products'],
    [
      'a scope where any token did',
      '@authenticated\n}',
      '@requiresScope(scope: READ_PRODUCTS)\n}',
      'breaking',
      'Query.own',
      'needs the scope read_products',
    ],
    [
      'scopes of its arguments',
      '@authenticated\n}',
      '@authenticated @requiresScopeOfArguments\n}',
      'breaking',
      'Query.own',
      'needs the scopes of its arguments',
    ],
    ['a lost alias', '"Other"', '', 'breaking', 'Filter', 'Other'],
    ['a lost alias of an enum value', '"ASC"', '', 'breaking', 'Order.UP', 'ASC'],
    ['a shorter text', 'max: 255', 'max: 100', 'breaking', 'Query.list(text:)', 'from 255 to 100'],
    ['a shorter list', '@listSize(max: 100)', '@listSize(max: 10)', 'breaking', 'Query.list(ids:)', 'from 100 to 10'],
    ['a higher cost', '"10"', '"20"', 'dangerous', 'Query.list', 'from 10 to 20'],
    ['a longer list for the cost', 'assumedSize: 50', 'assumedSize: 90', 'dangerous', 'Query.list', 'entries'],
    ['an enum value in responses', 'A B', 'A B C', 'dangerous', 'Kind.C', 'was added'],
    ['a lower cost', '"10"', '"5"', 'safe', 'Query.list', 'from 10 to 5'],
    ['an enum value in inputs only', 'enum Order {', 'enum Order { DOWN', 'safe', 'Order.DOWN', 'was added'],
    [
      'a default value of an argument',
      'text: String @length(max: 255)',
      'text: String = "a" @length(max: 255)',
      'dangerous',
      'Query.list(text:)',
      'defaultValue',
    ],
    ['a default value of an input member', 'eq: String', 'eq: String = "a"', 'dangerous', 'Filter.eq', 'defaultValue'],
    ['a default value of a required member', 'of: Int!', 'of: Int! = 1', 'safe', 'Filter.of', 'defaultValue'],
    ['an optional argument', 'own: Thing', 'own(id: ID): Thing', 'safe', 'Query.own(id:)', 'optional'],
    ['an optional input member', 'eq: String', 'eq: String, ne: String', 'safe', 'Filter.ne', 'optional'],
    ['a new field', 'old: String,', 'old: String, new: Int,', 'safe', 'Thing.new', 'was added'],
    ['a field that cannot be null any more', 'old: String,', 'old: String!,', 'safe', 'Thing.old', 'String to String!'],
    ['a deprecation', 'old: String,', `old: String ${RUNNING},`, 'safe', 'Thing.old', 'Since 2026-11-01'],
    ['a longer text', 'max: 255', 'max: 300', 'safe', 'Query.list(text:)', 'from 255 to 300'],
    [
      'any token where a scope was needed',
      '@requiresScope(scope: READ_PRODUCTS)',
      '@authenticated',
      'safe',
      'Query.list',
      'any scope',
    ],
    ['a directive of the SDL', ', unused: Int', '', 'safe', '@length(unused:)', 'removed'],
  ])('%s', (_, from, to, severity, coordinate, words) => {
    const changes = changesOf(BASE, BASE.replace(from, to));
    expect(changes[0]).toMatchObject({ severity, coordinate, message: expect.stringContaining(words) });
    expect(changes.filter((change) => change.severity !== 'safe')).toHaveLength(severity === 'safe' ? 0 : 1);
  });

  it('names file, line and column: of a removed element in the old SDL, of any other in the new one', () => {
    const removed = changesOf(BASE, BASE.replace('old: String,', ''));
    expect(removed[0]!.place).toEqual({ file: 'old.graphql', line: 14, column: 38 });
    const added = changesOf(BASE, `\n${BASE.replace('old: String,', '"New."\n new: Int, old: String,')}`);
    expect(added[0]!.place).toEqual({ file: 'new.graphql', line: 16, column: 2 });
  });

  it('that removes an alias breaks those who use the alias of a type, and any name of an enum value', () => {
    const affected = (alias: string) => changesOf(BASE, BASE.replace(alias, ''))[0]!.affected;
    expect([affected('"Other"'), affected('"ASC"')]).toEqual([['Other'], ['Order.UP']]);
  });

  it('of a description does not repeat the text', () => {
    const changes = changesOf(BASE, BASE.replace('enum Kind', '"Long text." enum Kind'));
    expect(changes).toMatchObject([{ nature: 'described', message: 'Description of Kind changed.' }]);
  });

  it('of a type that is removed with a member of the same type is found for both', () => {
    const changes = changesOf(BASE, BASE.replace(', part: Part', '').replace('type Part { size: Float }', ''));
    expect(changes.map(({ coordinate }) => coordinate)).toEqual(['Part', 'Thing.part']);
  });
});

describe('a change of a rule of inputs', () => {
  const RULES = `
directive @amount(min: Float, max: Float) on INPUT_FIELD_DEFINITION
directive @distinct(by: String!) repeatable on INPUT_FIELD_DEFINITION
directive @ignored on INPUT_FIELD_DEFINITION
directive @length(min: Int, max: Int!) on INPUT_FIELD_DEFINITION
directive @measure(signed: Boolean) on INPUT_FIELD_DEFINITION
directive @notNull on INPUT_FIELD_DEFINITION
directive @ownId on INPUT_FIELD_DEFINITION
directive @reference(to: String!, partOf: String, again: Boolean = true) on INPUT_FIELD_DEFINITION
type Query { any(input: Input): Int }
input Input { member: String }
`;
  const withRule = (rule: string) => RULES.replace('member: String', `member: String ${rule}`);

  it.each<[string, string, string, Change['severity'][]]>([
    ['a rule that is added', '', '@notNull', ['breaking']],
    ['a rule that is removed', '@notNull', '', ['safe']],
    ['a longer shortest text', '@length(max: 9)', '@length(min: 1, max: 9)', ['breaking']],
    ['the longest text that is saved in any case', '', '@length(max: 65536)', []],
    ['a longest text that is longer', '', '@length(max: 100000)', ['safe']],
    ['a longest text that is shorter', '', '@length(max: 65535)', ['breaking']],
    ['an id of its own', '', '@ownId', ['breaking']],
    ['a shorter shortest text', '@length(min: 2, max: 9)', '@length(min: 1, max: 9)', ['safe']],
    ['a higher minimum', '@amount(min: -1)', '@amount', ['breaking']],
    ['a lower minimum and a lower maximum', '@amount(max: 9)', '@amount(min: -1, max: 8)', ['breaking', 'safe']],
    ['an amount in place of a measure', '@measure', '@amount', ['breaking', 'safe']],
    ['a measure that may be negative', '@measure', '@measure(signed: true)', ['safe']],
    ['a measure that may not be negative any more', '@measure(signed: true)', '@measure', ['breaking']],
    ['another type of the records', '@reference(to: "Product")', '@reference(to: "Variant")', ['breaking']],
    ['records of one record only', '@reference(to: "V")', '@reference(to: "V", partOf: "type")', ['breaking']],
    ['records of any record', '@reference(to: "V", partOf: "type")', '@reference(to: "V")', ['safe']],
    ['no reference to a deleted record', '@reference(to: "V")', '@reference(to: "V", again: false)', ['breaking']],
    ['a reference to a deleted record', '@reference(to: "V", again: false)', '@reference(to: "V")', ['safe']],
    ['a second member to differ in', '@distinct(by: "a")', '@distinct(by: "a") @distinct(by: "b")', ['breaking']],
    ['a member to differ in that is removed', '@distinct(by: "a") @distinct(by: "b")', '@distinct(by: "b")', ['safe']],
    ['a member without effect', '', '@ignored', ['breaking']],
    ['a member that has an effect', '@ignored', '', ['dangerous']],
  ])('%s', (_, before, after, severities) => {
    const changes = changesOf(withRule(before), withRule(after));
    expect(changes.map(({ severity, coordinate }) => [severity, coordinate])).toEqual(
      severities.map((severity) => [severity, 'Input.member']),
    );
  });
});

describe('a breaking change', () => {
  const removal = BASE.replace('old: String,', '');

  it('is refused without a deprecation in the old SDL', () => {
    expect(changesOf(BASE, removal)).toMatchObject([{ isAllowed: false, deprecation: null }]);
  });

  it('is refused before the deprecation ends, and allowed from that day on', () => {
    const [running] = changesOf(BASE.replace('old: String', `old: String ${RUNNING}`), removal);
    expect(running).toMatchObject({ isAllowed: false, deprecation: { since: '2026-11-01', until: '2027-06-02' } });
    const [ended] = changesOf(BASE.replace('old: String', `old: String ${ENDED}`), removal);
    expect(ended).toMatchObject({ isAllowed: true, deprecation: { until: '2027-06-01' } });
  });

  it('is refused if the reason of the deprecation has no days', () => {
    const [change] = changesOf(BASE.replace('old: String', 'old: String @deprecated(reason: "Use name.")'), removal);
    expect(change).toMatchObject({ isAllowed: false, deprecation: null });
  });

  it('of an argument is allowed with the deprecation of its field', () => {
    const old = BASE.replace('@authenticated\n}', `@authenticated ${ENDED}\n}`).replace(
      'own: Thing',
      'own(id: ID): Thing',
    );
    expect(changesOf(old, old.replace('(id: ID)', ''))).toMatchObject([{ isAllowed: true }]);
  });

  it('of a type is allowed with the deprecation of all members that have the type', () => {
    const without = (sdl: string) => sdl.replace(/, part: Part[^}]*/, '').replace('type Part { size: Float }', '');
    const once = BASE.replace('part: Part', `part: Part ${ENDED}`);
    expect(changesOf(once, without(once)).map(({ isAllowed }) => isAllowed)).toEqual([true, true]);
    const twice = once.replace('own: Thing @authenticated', 'own: Thing @authenticated\n  part: Part @authenticated');
    const changes = changesOf(twice, without(twice).replace('  part: Part @authenticated\n', ''));
    expect(changes.map(({ coordinate, isAllowed }) => [coordinate, isAllowed])).toEqual([
      ['Part', false],
      ['Query.part', false],
      ['Thing.part', true],
    ]);
  });

  it('of all operations is refused', () => {
    const changes = changesOf(BASE, BASE.replace(/type Query \{[^}]*\}/, 'type Query { other: Int }'));
    expect(changes.filter(({ isAllowed }) => !isAllowed).map(({ coordinate }) => coordinate)).toContain('Query.own');
  });
});

function changesOf(old: string, current: string): Change[] {
  return findChanges(schemaOf(old, 'old.graphql'), schemaOf(current, 'new.graphql'), NOW);
}

function schemaOf(text: string, file: string): GraphQLSchema {
  return buildASTSchema(parseSdl([new Source(text, file)]));
}
