import { Source } from 'graphql';
import { describe, expect, it } from 'vitest';
import { buildSchema, readSources } from '../../../src/graphql/schema/schema.ts';
import { parseSdl } from '../../../src/graphql/schema/sdl.ts';
import { resolvers } from '../../../src/resolvers.ts';

const QUERY = new Source('type Query {\n  thing: Thing\n}\n', 'schema/a.graphql');

describe('a mistake in the SDL', () => {
  it.each([
    ['of syntax', 'type Thing {\n  name: String]\n}', 'schema/b.graphql:2:15: Syntax Error: Expected Name, found "]".'],
    ['about a type', 'type Thing {\n  name: Strin\n}', 'schema/b.graphql:2:9: Unknown type "Strin".'],
    [
      'about a field',
      'type Thing { id: ID\n id: ID }',
      'schema/b.graphql:1:14: Field "Thing.id" can only be defined once.',
    ],
  ])('%s is reported with file, line and column', (_, text, message) => {
    expect(() => parseSdl([QUERY, new Source(text, 'schema/b.graphql')])).toThrow(message);
  });

  it('does not hide those of other files', () => {
    const wrong = ['a', 'b'].map((name) => new Source('type {', `schema/${name}.graphql`));
    expect(() => parseSdl(wrong)).toThrow(/^schema\/a.graphql:1:6: .*\nschema\/b.graphql:1:6: .*$/);
  });

  it('that only the complete schema shows has them too, when the service starts', () => {
    const sources = [
      ...readSources(),
      new Source('extend type Product {\n  "X." x(input: Product): Int\n}', 'schema/x.graphql'),
    ];
    expect(() => buildSchema(sources, resolvers)).toThrow(
      'schema/x.graphql:2:17: The type of Product.x(input:) must be Input Type but got: Product.',
    );
  });
});
