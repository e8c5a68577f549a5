import { type DocumentNode, parse, print, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { withoutRepeatedEntries } from '../../../src/graphql/document/distinct-entries.ts';
import { smallSchema } from '../../support/small-schema.ts';

const { schema } = smallSchema();

const MEMBERS = ['id', 'weight', 'at', 'names', 'prices', 'parts', 'nothing'];
const VALUES = ['""', '"x"', '1', '-1', '123456789', '2147483648', '253402300800000', '1.5', '1e3', '1e999', '0.1e-9'];
const OTHER_VALUES = ['true', 'null', 'OTHER', '$id', '$unknown', '[]', '{}', '["x" "x"]', '[1.5 2]', '[1 1e999]'];

describe('a document without repeated entries', () => {
  it('has one entry of each shape in each list', () => {
    const short = withoutRepeatedEntries(parse('{ f(a: [{ b: "x" c: [1 2 1.5] } { b: "y" c: [3 4.5] } { b: 1 }]) }'));
    expect(print(short).replaceAll(/\s+/g, ' ')).toBe('{ f(a: [{ b: "x", c: [1, 1.5] }, { b: 1 }]) }');
  });

  it.each(MEMBERS)('is valid exactly if the whole document is, with two values of %s', (member) => {
    for (const first of [...VALUES, ...OTHER_VALUES]) {
      for (const second of [...VALUES, ...OTHER_VALUES]) {
        const parts = [first, second].map((value) => `{ name: "x" ${member}: ${value} }`).join(' ');
        const document = parse(
          `mutation ($id: String) { saveNothing(input: { id: $id, name: "x", parts: [${parts}] }) { id } }`,
        );
        expect(isValid(withoutRepeatedEntries(document)), parts).toBe(isValid(document));
      }
    }
  });

  it('is not valid if a number is out of the range of its type', () => {
    const at = (moment: string) =>
      parse(
        `mutation { saveNothing(input: { name: "x", parts: [{ name: "x" at: 1 } { name: "x" at: ${moment} }] }) { id } }`,
      );
    expect(isValid(withoutRepeatedEntries(at('253402300799999')))).toBe(true);
    expect(isValid(withoutRepeatedEntries(at('253402300800000')))).toBe(false);
  });
});

function isValid(document: DocumentNode): boolean {
  return validate(schema, document).length === 0;
}
