import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { loginRequired } from '../../errors.ts';
import { type GraphQLFormattedError, requestError } from '../../graphql/errors.ts';
import { JsonText } from '../../values/json.ts';
import { presentsCredentials } from '../admission/authenticate.ts';
import { BodyMemory } from '../admission/body-memory.ts';
import {
  prefersHtml,
  jsonMediaType,
  responseMediaType,
  type ResponseMediaType,
} from '../protocol/content-negotiation.ts';
import { refuseOtherMethods } from '../protocol/other-methods.ts';
import { applyError, documentationOf, HttpError, toPublicError } from '../protocol/problem.ts';
import { type ExecutorDependencies, RequestExecutor } from './execute-request.ts';
import { graphiqlPage } from './graphiql.ts';
import { type GraphQLRequest, readBody, readQueryString } from './graphql-request.ts';
import type { GraphQLBody } from './graphql-response.ts';

const MIB = 1024 * 1024;
/** Maximum body of a request without a token, which may only introspect the schema. */
const MAX_ANONYMOUS_BODY_BYTES = 64 * 1024;
/** Longer bodies wait for admission: while one is read and executed, it takes up to ten times its length of memory. */
const MAX_SMALL_BODY_BYTES = 64 * 1024;
/** Bytes of all longer bodies that are read and executed at once. */
const BODY_LIMITS = { max: 32 * MIB, maxPerMerchant: 16 * MIB, maxWaiting: 1_000, maxWaitMs: 10_000 };

const graphqlPath = '/api/v1/admin/graphql';

export type GraphQLDependencies = ExecutorDependencies & {
  /** Who may introspect the schema: everybody, or only callers with a valid token. */
  introspection: 'public' | 'token';
};

export async function graphqlRoutes(app: FastifyInstance, dependencies: GraphQLDependencies): Promise<void> {
  const executor = new RequestExecutor(dependencies);
  const bodies = new BodyMemory({ ...BODY_LIMITS, maxBodyBytes: app.initialConfig.bodyLimit! });
  const respond = async (graphql: GraphQLRequest, request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    const mediaType = responseMediaType(request.headers.accept);
    if (!mediaType) throw new HttpError(406, `Answers are ${jsonMediaType} or application/graphql-response+json.`);
    const response = await executor.execute({ graphql, request, client: reply.raw, mediaType });
    return bodyText(response.body, mediaType, request, reply.code(response.status).headers(response.headers));
  };

  app.setErrorHandler(sendGraphQLError);
  admitBodies(app, bodies, dependencies);
  app.post(graphqlPath, (request, reply) =>
    bodies.keepDuring(request, async () => await respond(readBody(request.body), request, reply)),
  );
  await app.register(async (scope) => {
    const sendPage = await graphiqlPage(scope, graphqlPath);
    scope.get(
      graphqlPath,
      async (request, reply) =>
        await (isPage(request) ? sendPage(request, reply) : respond(readQueryString(request), request, reply)),
    );
  });
  const message = 'Send GraphQL with POST, or queries with GET.';
  refuseOtherMethods(app, graphqlPath, { allowed: ['GET', 'POST'], message });
}

/** Refuses requests, and limits memory, before bodies are read. */
function admitBodies(
  app: FastifyInstance,
  bodies: BodyMemory,
  { introspection, executionLimiters }: GraphQLDependencies,
): void {
  const maxBodyBytes = app.initialConfig.bodyLimit!;
  app.addHook('preParsing', (request, reply, _, done) => {
    const bytes = announcedBytes(request);
    const needsToken = introspection === 'token' || presentsCredentials(request) || bytes > MAX_ANONYMOUS_BODY_BYTES;
    // The error is sent in the next iteration of the event loop. If the HTTP parser fails in this one, Fastify answers
    // that error, and there would be two responses.
    if (!request.session && !isPage(request) && needsToken) return void setImmediate(done, loginRequired());
    executionLimiters.standard.check(request.session);
    // Fastify refuses a body above the limit by its length, without reading it.
    if (bytes <= MAX_SMALL_BODY_BYTES || bytes > maxBodyBytes) return done();
    bodies.admit(bytes, request, reply).then(() => done(), done);
  });
}

/** The length of the body as its header announces it; without Content-Length the largest length that is accepted. */
function announcedBytes(request: FastifyRequest): number {
  if (request.method === 'GET') return 0;
  return Number(request.headers['content-length'] ?? request.routeOptions.bodyLimit);
}

function isPage(request: FastifyRequest): boolean {
  return request.method === 'GET' && prefersHtml(request.headers.accept);
}

/** Errors of the whole HTTP request, in the form of a GraphQL response. */
function sendGraphQLError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const publicError = toPublicError(error, request);
  applyError(reply, publicError);
  const mediaType = responseMediaType(request.headers.accept) ?? jsonMediaType;
  return reply.send(bodyText({ errors: [requestError(publicError)] }, mediaType, request, reply));
}

function bodyText(
  body: GraphQLBody,
  mediaType: ResponseMediaType,
  request: FastifyRequest,
  reply: FastifyReply,
): string {
  const { data, extensions } = body;
  const errors = body.errors && withDocumentation(body.errors, request);
  request.errorCodes = errors ? errors.map(({ extensions }) => String(extensions?.['code'])) : [];
  reply.headers({ 'content-type': `${mediaType}; charset=utf-8`, 'cache-control': 'no-store' });
  if (!(data instanceof JsonText)) return JSON.stringify(errors ? { ...body, errors } : body);
  const first = errors ? `"errors":${JSON.stringify(errors)},` : '';
  const last = extensions ? `,"extensions":${JSON.stringify(extensions)}` : '';
  return `{${first}"data":${data.text}${last}}`;
}

/** Adds the address of the documentation page to each error, if the service knows its own address. */
function withDocumentation(errors: GraphQLFormattedError[], request: FastifyRequest): GraphQLFormattedError[] {
  if (request.server.publicUrl === undefined) return errors;
  return errors.map((error) => {
    const documentation = documentationOf(String(error.extensions?.['code']), request);
    return { ...error, extensions: { ...error.extensions, documentation } };
  });
}
