import { buildASTSchema, Source } from 'graphql';
import { describe, expect, it } from 'vitest';
import { staleLines } from '../../codegen/stale-lines.ts';
import { elementsOf } from '../../codegen/schema-review/elements.ts';
import { parseSdl } from '../../src/graphql/schema/sdl.ts';

const SDL = `type Query {
  listThing(name: String): [HTMLThing!]
}
type HTMLThing {
  name: String
}
enum KindEnum {
  PLAIN
}
input ThingInput {
  name: String
}
`;
const TYPES = `export type Query = {
  listThing?: Maybe<Array<HtmlThing>>;
};

export type QueryListThingArgs = {
  name?: InputMaybe<string>;
};

/** A thing. */
export type HtmlThing = {
  /** Its name. */
  name?: Maybe<string>;
};

export type KindEnum =
  | 'PLAIN';

export type ResolversTypes = {
  HTMLThing: ResolverTypeWrapper<HtmlThing>;
};

export type HtmlThingResolvers<ContextType = Context> = {
  name?: Resolver<Maybe<string>>;
};
`;
const INPUTS = `import { text } from '../../field-input.ts';
const kindEnum = z.enum(['PLAIN']);
export const otherInput = z.object({
});
export type OtherInput = z.output<typeof otherInput>;
export const thingInput = z.object({
  name: text().nullish(),
});
`;
const REFERENCES = `export const thingReferences = {
  ThingInput: [
    { path: 'name', to: 'Thing' },
  ],
`;
const EVENTS = `-- Written by \`npm run codegen\` from the fields of HTMLThing in schema/ and src/. Do not edit.
select
  (select a
    from b) as "name",
  r.gone as "gone"
`;

const elements = elementsOf(buildASTSchema(parseSdl([new Source(SDL, 'schema/thing.graphql')])));
const asked = (text: string, line: string): unknown[] =>
  staleLines(text.replace(`${line}\n`, ''), text, elements).map(({ sign, line, element, name }) => [
    sign,
    line,
    element ? `${element.place.line} ${element.coordinate}` : name,
  ]);

describe('a line that codegen would add', () => {
  it.each([
    ['an operation', TYPES, '  listThing?: Maybe<Array<HtmlThing>>;', 2, '2 Query.listThing'],
    ['an argument', TYPES, '  name?: InputMaybe<string>;', 6, '2 Query.listThing(name:)'],
    ['a type', TYPES, '/** A thing. */', 9, '4 HTMLThing'],
    ['a description', TYPES, '  /** Its name. */', 11, '5 HTMLThing.name'],
    ['a field', TYPES, '  name?: Maybe<string>;', 12, '5 HTMLThing.name'],
    ['an enum value', TYPES, "  | 'PLAIN';", 16, '8 KindEnum.PLAIN'],
    ['the type of resolvers', TYPES, '  HTMLThing: ResolverTypeWrapper<HtmlThing>;', 19, '4 HTMLThing'],
    ['a resolver', TYPES, '  name?: Resolver<Maybe<string>>;', 23, '5 HTMLThing.name'],
    ['the values of an enum', INPUTS, "const kindEnum = z.enum(['PLAIN']);", 2, '7 KindEnum'],
    ['a member of an input', INPUTS, '  name: text().nullish(),', 7, '11 ThingInput.name'],
    ['nothing in the SDL, if it does not say so', INPUTS, "import { text } from '../../field-input.ts';", 1, ''],
    ['nothing that it names, in other files', REFERENCES, "    { path: 'name', to: 'Thing' },", 3, ''],
    ['a member of an event, in its first line', EVENTS, '  (select a', 3, '5 HTMLThing.name'],
    ['a member of an event that the SDL does not have', EVENTS, '  r.gone as "gone"', 5, 'HTMLThing.gone'],
  ])('is about %s', (_, text, line, number, about) => {
    expect(asked(text, line)).toEqual([['+', number, about]]);
  });

  it('is also found if codegen would remove it', () => {
    const lines = staleLines(
      TYPES.replace('  name?: Maybe', '  old?: Maybe<string>;\n  name?: Maybe'),
      TYPES,
      elements,
    );
    expect(lines).toMatchObject([
      { sign: '-', line: 12, text: '  old?: Maybe<string>;', element: null, name: 'HtmlThing.old' },
    ]);
  });
});
