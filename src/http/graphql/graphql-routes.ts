import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { loginRequired } from '../../errors.ts';
import { requestError } from '../../graphql/errors.ts';
import { JsonText } from '../../graphql/execute/execute.ts';
import type { GraphQLSchema } from '../../graphql/schema/schema.ts';
import { presentsCredentials } from '../admission/authenticate.ts';
import { type Caller, createExecute, type GraphQLResponse, type Means, type TurnsOf } from './execute-request.ts';
import { graphiqlPage } from './graphiql.ts';
import { type GraphQLRequest, readBody, readQueryString } from './graphql-request.ts';
import { acceptsPage, jsonMediaType, responseMediaType } from '../protocol/media-type.ts';
import type { MainThread } from '../admission/blocking-work.ts';
import { applyError, HttpError, told } from '../protocol/problem.ts';
import { takeUntilAnswered } from '../admission/release-on-close.ts';
import { Turns } from '../admission/fair-limiter.ts';

/** Enough for questions about the schema, which is all that is answered without a token. */
const ANONYMOUS_BODY_MAX_BYTES = 64 * 1024;
/** Longer bodies are bounded together: while one is read and executed it takes up to ten times its length of memory. */
const SMALL_BODY_MAX_BYTES = 64 * 1024;
const MIB = 1024 * 1024;
/** Of all bodies that are read and executed at once, half of them at most of one merchant. Others wait unread. */
const bodyLimits = { max: 32 * MIB, maxPerMerchant: 16 * MIB, waitingMax: 1_000, waitMaxMs: 10_000 };

export const graphqlPath = '/api/v1/admin/graphql';

export type GraphQLDependencies = Means & {
  schema: GraphQLSchema;
  /** Who may ask about the schema: anybody, or only callers with a valid token. */
  introspection: 'public' | 'token';
  /** How many requests are executed at once, and how many may wait. */
  turns: TurnsOf;
  mainThread: MainThread;
};

export async function graphqlRoutes(app: FastifyInstance, parts: GraphQLDependencies): Promise<void> {
  const { schema, introspection, turns, mainThread } = parts;
  const execute = createExecute(schema, parts, turns, mainThread);
  const answer = async (graphql: GraphQLRequest, request: FastifyRequest, reply: FastifyReply): Promise<string> =>
    textOf(await execute(graphql, callerOf(request, reply)), request, reply);

  app.setErrorHandler(sendGraphQLError);
  const bodies = new Turns(bodyLimits);
  // Before the body is read: who is refused anyway sends nothing more. One turn later, as an error of the HTTP parser
  // that comes in this one is answered by Fastify, and a request has one answer.
  app.addHook('preParsing', (request, reply, _, done) => {
    const bytes = announcedBytes(request);
    const isRefused = introspection === 'token' || presentsCredentials(request) || bytes > ANONYMOUS_BODY_MAX_BYTES;
    if (!request.session && !isPage(request) && isRefused) return void setImmediate(done, loginRequired());
    turns.others.check(request.session);
    if (bytes <= SMALL_BODY_MAX_BYTES) return done();
    takeUntilAnswered(bodies, bytes, request, reply).then(() => done(), done);
  });
  app.post(graphqlPath, (request, reply) => answer(readBody(request.body), request, reply));
  await app.register(async (scope) => {
    const sendPage = await graphiqlPage(scope, graphqlPath);
    scope.get(
      graphqlPath,
      async (request, reply) =>
        await (isPage(request) ? sendPage(request, reply) : answer(readQueryString(request), request, reply)),
    );
  });
  app.route({
    method: ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'],
    url: graphqlPath,
    handler: () => {
      throw new HttpError(405, 'Send GraphQL with POST, or queries with GET.', { allow: 'GET, POST' });
    },
  });
}

/** A body that is sent without its length may be as long as is allowed. */
function announcedBytes(request: FastifyRequest): number {
  if (request.method === 'GET') return 0;
  return Number(request.headers['content-length'] ?? request.routeOptions.bodyLimit);
}

function isPage(request: FastifyRequest): boolean {
  return request.method === 'GET' && acceptsPage(request.headers.accept);
}

function callerOf(request: FastifyRequest, reply: FastifyReply): Caller {
  const mediaType = responseMediaType(request.headers.accept);
  if (!mediaType) throw new HttpError(406, `Answers are ${jsonMediaType} or application/graphql-response+json.`);
  return {
    session: request.session,
    requestId: request.id,
    log: request.log,
    mediaType,
    headers: request.headers,
    isReadOnly: request.method === 'GET',
    translate: (error, operations) => told(error, request, operations),
    client: reply.raw,
  };
}

/** The text to be sent, with its status and headers set. */
function textOf(
  { status, headers, body, operations }: GraphQLResponse,
  request: FastifyRequest,
  reply: FastifyReply,
): string {
  request.operations = operations;
  return bodyText(body, request, reply.code(status).headers(headers));
}

/** What is wrong with a request as a whole, in the form of a GraphQL answer. */
function sendGraphQLError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = told(error, request);
  applyError(reply, answer);
  return reply.send(bodyText({ errors: [requestError(answer)] }, request, reply));
}

function bodyText(body: GraphQLResponse['body'], request: FastifyRequest, reply: FastifyReply): string {
  const { errors, data, extensions } = body;
  request.errorCodes = errors ? errors.map(({ extensions }) => String(extensions?.['code'])) : [];
  const mediaType = responseMediaType(request.headers.accept) ?? jsonMediaType;
  reply.headers({ 'content-type': `${mediaType}; charset=utf-8`, 'cache-control': 'no-store' });
  if (!(data instanceof JsonText)) return JSON.stringify(body);
  const first = errors ? `"errors":${JSON.stringify(errors)},` : '';
  const last = extensions ? `,"extensions":${JSON.stringify(extensions)}` : '';
  return `{${first}"data":${data.text}${last}}`;
}
