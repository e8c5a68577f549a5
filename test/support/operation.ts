import { type GraphQLField, type GraphQLOutputType, getNamedType, isObjectType } from 'graphql';
import type { Context } from '../../src/context.ts';
import type { Database } from '../../src/db/connection/database.ts';
import { resolvers } from '../../src/resolvers.ts';
import { buildSchema, readSources } from '../../src/graphql/schema/schema.ts';
import type { ServerDependencies } from '../../src/http/server/server.ts';
import { type Answer, post } from './post.ts';
import { startServer } from './server.ts';

type Operation = { kind: 'query' | 'mutation'; field: GraphQLField<unknown, unknown> };

/** Calls an operation over HTTP as an app of the context's merchant. Selects all fields. */
export type CallOperation = (
  ctx: Context,
  name: string,
  variables: object,
  headers?: Record<string, string>,
) => Promise<Answer['body']>;

/** Sends a document over HTTP as an app of the context's merchant. */
export type SendDocument = (ctx: Context, document: string, variables?: object) => Promise<Answer['body']>;

const schema = buildSchema(readSources(), resolvers);

/** All operations of the SDL, by name. */
export const operations: ReadonlyMap<string, Operation> = new Map([
  ...fieldsOf('query', schema.getQueryType()!.getFields()),
  ...fieldsOf('mutation', schema.getMutationType()!.getFields()),
]);

/** Starts an HTTP server with the complete schema on this database. */
export async function startOperations(
  db: Database,
  parts: Partial<ServerDependencies> = {},
): Promise<{ url: string; call: CallOperation; query: SendDocument; stop(): Promise<void> }> {
  const server = await startServer({ schema, db, ...parts });
  const send = async (ctx: Context, request: object, headers: Record<string, string>): Promise<Answer['body']> => {
    server.sessions.set(ctx.merchantId, ctx.session);
    return (await post(server.graphqlUrl, request, { token: ctx.merchantId, headers })).body;
  };
  return {
    url: server.url,
    call: async (ctx, name, variables, headers = {}) =>
      await send(ctx, { query: documentOf(name, variables), variables }, headers),
    query: async (ctx, query, variables = {}) => await send(ctx, { query, variables }, {}),
    stop: () => server.drain(),
  };
}

/** A document with one operation that selects all fields. */
export function documentOf(name: string, variables: object): string {
  const { kind, field } = operations.get(name)!;
  const used = field.args.filter((argument) => argument.name in variables);
  const declared = used.map((argument) => `$${argument.name}: ${String(argument.type)}`).join(', ');
  const passed = used.map((argument) => `${argument.name}: $${argument.name}`).join(', ');
  return `${kind} ${declared && `(${declared})`} { ${name} ${passed && `(${passed})`} ${everything(field.type)} }`;
}

function everything(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return '';
  return `{ ${Object.values(named.getFields())
    .map((field) => `${field.name} ${everything(field.type)}`)
    .join(' ')} }`;
}

function fieldsOf(kind: Operation['kind'], fields: { [name: string]: Operation['field'] }): [string, Operation][] {
  return Object.entries(fields).map(([name, field]) => [name, { kind, field }]);
}
