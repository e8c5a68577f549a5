import { isInputObjectType, isListType, isNonNullType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSchema, readSources } from '../../../src/graphql/schema/schema.ts';
import { resolvers } from '../../../src/resolvers.ts';
import { codes, post } from '../../support/post.ts';
import { startServer, type TestServer } from '../../support/server.ts';

const MAX = 255;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.drain());

const list = async (name: object) =>
  await post(server.graphqlUrl, {
    query: 'query ($name: StringFilterInput) { listThing(name: $name) { id } }',
    variables: { name },
  });

describe('a text that lists are filtered by', () => {
  it.each(['eq', 'ne', 'like'])('has at most 255 code points in `%s`', async (member) => {
    // The last one has two UTF-16 units.
    for (const letter of ['x', 'Ж', '🙂']) {
      expect(codes(await list({ [member]: letter.repeat(MAX) }))).toEqual([]);
      const refused = await list({ [member]: letter.repeat(MAX + 1) });
      expect(codes(refused)).toEqual(['ARGUMENT_VALIDATION_ERROR']);
      expect(refused.body.errors![0]!.extensions['issues']).toEqual([
        { path: ['name', member], message: 'must have at most 255 characters and has 256' },
      ]);
    }
  });

  it.each(['in', 'nin'])('has at most 255 code points in each entry of `%s`', async (member) => {
    expect(codes(await list({ [member]: ['x', 'x'.repeat(MAX)] }))).toEqual([]);
    const refused = await list({ [member]: ['x', 'x'.repeat(MAX + 1)] });
    expect(refused.body.errors![0]!.extensions['issues']).toMatchObject([{ path: ['name', member, 1] }]);
  });

  it('has a limit in every argument of the schema', () => {
    const schema = buildSchema(readSources(), resolvers);
    const texts = Object.values(schema.getQueryType()!.getFields()).flatMap((field) =>
      field.args.flatMap((argument) => {
        const type = isNonNullType(argument.type) ? argument.type.ofType : argument.type;
        const members =
          isInputObjectType(type) && type.name === 'StringFilterInput' ? Object.values(type.getFields()) : [argument];
        return members
          .filter((member) => isText(member.type) && !COMPARED_WHOLE.includes(member.name))
          .map((member) => ({ name: `${field.name}.${argument.name}.${member.name}`, member }));
      }),
    );
    expect(texts.length).toBeGreaterThan(100);
    const unlimited = texts.filter(
      ({ member }) => !member.astNode!.directives?.some(({ name }) => name.value === 'length'),
    );
    expect(unlimited.map(({ name }) => name)).toEqual([]);
  });
});

/** Arguments that are not filters. Texts that are not one of a few values are refused, or are unknown ids. */
const COMPARED_WHOLE = ['sort', 'id', 'operationId', 'recordId', 'authorizedAppId', 'scope'];

function isText(type: unknown): boolean {
  const text = String(isListType(type) ? type.ofType : type).replace('!', '');
  return text === 'String';
}
