import type { FastifyRequest } from 'fastify';
import type { ClientStream } from '../../limits/client-stream.ts';
import type { ResponseMediaType } from '../protocol/content-negotiation.ts';
import { withoutUnderflow } from '../../values/json.ts';
import { HttpError } from '../protocol/problem.ts';

/** A GraphQL request, sent with POST or GET. */
export type GraphQLRequest = {
  query: string;
  operationName: string | null;
  variables: Record<string, unknown> | null;
};

/** A GraphQL request with the HTTP request that contains it. */
export type ReceivedRequest = {
  graphql: GraphQLRequest;
  request: FastifyRequest;
  client: ClientStream;
  mediaType: ResponseMediaType;
};

/**
 * Reads the JSON object of a POST. Unknown members are ignored. An empty list of variables counts as none, because PHP
 * writes an empty object so; so does an empty name of the operation, as in a GET.
 */
export function readBody(body: unknown): GraphQLRequest {
  if (Array.isArray(body)) throw badRequest('Batches are not supported: send one operation in each request.');
  if (!isRecord(body)) throw badRequest('The body must be a JSON object with the member "query".');
  const { query, operationName = null } = body;
  const [variables, extensions] = [orNull(body['variables']), orNull(body['extensions'])];
  if (query === undefined || query === null) throw badRequest('Must provide query string.', 'query');
  if (typeof query !== 'string') throw badRequest('The member "query" must be text.', 'query');
  if (operationName !== null && typeof operationName !== 'string')
    throw badRequest('The member "operationName" must be text.', 'operationName');
  if (variables !== null && !isRecord(variables))
    throw badRequest('The member "variables" must be an object.', 'variables');
  if (extensions !== null && !isRecord(extensions))
    throw badRequest('The member "extensions" must be an object.', 'extensions');
  return { query, operationName: operationName || null, variables };
}

/** Reads the query string of a GET, in which objects are encoded as JSON. */
export function readQueryString(request: FastifyRequest): GraphQLRequest {
  const parameters = request.query as Record<string, unknown>;
  const { variables, extensions, ...texts } = parameters;
  const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
  return readBody({
    ...given,
    variables: readJson('variables', variables),
    extensions: readJson('extensions', extensions),
  });
}

function readJson(name: string, text: unknown): unknown {
  if (text === undefined || text === '') return null;
  if (typeof text !== 'string') throw badRequest(`The parameter "${name}" is given twice.`, name);
  try {
    return JSON.parse(withoutUnderflow(text));
  } catch {
    throw badRequest(`The parameter "${name}" must be JSON.`, name);
  }
}

/** The member, or null if it is missing or an empty list. */
function orNull(member: unknown): unknown {
  return member === undefined || (Array.isArray(member) && member.length === 0) ? null : member;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function badRequest(message: string, ...path: string[]): HttpError {
  return new HttpError(400, message, {}, path);
}
