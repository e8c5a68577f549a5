import { Source } from 'graphql';
import { describe, expect, it } from 'vitest';
import { inputSchemas } from '../../codegen/input-schema.ts';
import { schemaOf } from '../../codegen/schema-review/sdl-version.ts';
import { readSources } from '../../src/graphql/schema/sdl.ts';

describe('the schema of an input', () => {
  it.each([
    ['a text', 'String', 'text().nullish()'],
    ['a required text', 'String!', 'text()'],
    ['a text of limited length', 'String @length(max: 9)', 'text(9).nullish()'],
    ['a normalized text that may be empty', 'String @normalized @length(max: 9)', 'trimmed(9).nullish()'],
    ['a name', 'String! @normalized @length(min: 1, max: 9)', 'name(9)'],
    ['an id of another record', 'String @reference(to: "Other")', 'id().nullish()'],
    ['its own id', 'String @ownId', 'ownId()'],
    ['a currency', 'String! @currency', 'currencyCode()'],
    ['an amount', 'Float! @amount', 'amount()'],
    ['an amount within limits', 'Float! @amount(min: -5, max: 5)', 'amount({ min: -5, max: 5 })'],
    ['a measure', 'Float! @measure', 'measure()'],
    ['a measure that may be negative', 'Float! @measure(signed: true)', 'number()'],
    ['a moment', 'Timestamp', 'instant().nullish()'],
    ['a default', 'Boolean! = true', 'z.boolean().default(true)'],
    ['a member that is kept if it is left out', 'Boolean @notNull', 'notNull(z.boolean())'],
    ['texts of limited length', '[String!] @length(max: 9)', 'list(text(9), 1000).nullish()'],
    [
      'entries that differ',
      '[PartInput!]! @distinct(by: "a") @distinct(by: "b")',
      "list(partInput, 1000).superRefine(distinct('a')).superRefine(distinct('b'))",
    ],
    ['entries up to a limit', '[Int!]! @listSize(max: 9)', 'list(z.int(), 9)'],
    ['values of an enum', '[KindEnum!]!', 'list(kindEnum, 1000)'],
  ])('has %s', (_, member, expected) => {
    expect(generated(`member: ${member}`)).toContain(`  member: ${expected},\n`);
  });

  it('has all members but those without effect', () => {
    const text = generated('one: Int, ignored: Int @ignored, other: Int');
    expect(text).toContain('one: z.int().nullish(),\n  other: z.int().nullish(),\n');
    expect(text).not.toContain('ignored');
  });

  it('of a list argument has the rules of the argument', () => {
    expect(generated('a: Int', '[RecordInput!]! @distinct(by: "a")')).toContain(
      "export const recordInputList = list(recordInput, 1000).superRefine(distinct('a'));",
    );
  });

  it('names the member and its line if the rule of a number is missing', () => {
    expect(() => generated('size: Float')).toThrow('size in schema/record.graphql:2 is a Float of an input');
  });

  it('is not generated for an input that contains itself', () => {
    expect(() => generated('parts: [RecordInput!]')).toThrow('RecordInput in schema/record.graphql:2 contains itself');
  });
});

/** The schema generated for an input with these members, in a domain that is added to those of the service. */
function generated(members: string, argument = 'RecordInput!'): string {
  const sdl = `extend type Mutation { saveRecord(input: ${argument}): Int }
input RecordInput { ${members}, part: PartInput, kind: KindEnum }
input PartInput { a: Int, b: Int }
enum KindEnum { A B }`;
  const sources = [...readSources(), new Source(sdl, 'schema/record.graphql')];
  return inputSchemas(schemaOf({ name: 'test', sources }), 'record');
}
