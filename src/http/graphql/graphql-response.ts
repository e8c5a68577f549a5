import type { FastifyRequest } from 'fastify';
import { type CommerceError, type ErrorCode, httpStatusByCode } from '../../errors.ts';
import { executionErrors, type GraphQLFormattedError, requestError } from '../../graphql/errors.ts';
import type { OperationResult } from '../../graphql/execute/execute-operation.ts';
import { graphqlMediaType, type ResponseMediaType } from '../protocol/content-negotiation.ts';
import type { MutationOutcome, MutationResponse } from '../protocol/mutation.ts';
import { HttpError, loginHeader, retryAfterHeader, toPublicError } from '../protocol/problem.ts';

/** Transient error codes: the same request may succeed later. */
const TRANSIENT_CODES: readonly ErrorCode[] = [
  'INTERNAL_SERVER_ERROR',
  'LOGIN_REQUIRED',
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
  'TIMEOUT',
  'UNAUTHORIZED',
];

export type GraphQLBody = { data?: unknown; errors?: GraphQLFormattedError[]; extensions?: Record<string, unknown> };

export type GraphQLResponse = {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: GraphQLBody;
};

type OutcomeOptions = {
  readonly request: FastifyRequest;
  readonly mediaType: ResponseMediaType;
  readonly isDryRun: boolean;
  readonly isMutation: boolean;
};

/**
 * The response keys of a document with several mutations of which one failed: in `executed` those that succeeded, in
 * `notExecuted` those that had no effect. The path of its error names the failed one, which is in neither list.
 */
type ExecutedFields = { readonly executed: readonly string[]; readonly notExecuted: readonly string[] };

/** A document that was not executed. */
export function refusedDocument(errors: GraphQLFormattedError[], mediaType: ResponseMediaType): GraphQLResponse {
  return { status: refusalStatus(mediaType), headers: {}, body: { errors } };
}

/** An operation that was not executed. */
export function refusedOperation(error: CommerceError, mediaType: ResponseMediaType): GraphQLResponse {
  const { status, headers } = error instanceof HttpError ? error : { status: refusalStatus(mediaType), headers: {} };
  return { status, headers, body: { errors: [requestError(error)] } };
}

/** An executed operation. If one of its fields failed, everything it wrote can be rolled back. */
export function outcomeOf(result: OperationResult, options: OutcomeOptions): MutationOutcome {
  const { data } = result;
  const errors = result.errors && executionErrors(result.errors, (error) => toPublicError(error, options.request));
  const fields = options.isMutation ? executedFields(result) : null;
  const response = responseOf(data, errors, fields, options);
  if (data === undefined) return { response, rolledBack: { response, isTransient: true } };
  if (!errors) return { response };
  const isTransient = errors.some(({ extensions }) => TRANSIENT_CODES.includes(extensions?.['code'] as ErrorCode));
  const undone = fields && { executed: [], notExecuted: [...fields.executed, ...fields.notExecuted] };
  return { response, rolledBack: { response: responseOf(null, errors, undone, options), isTransient } };
}

/**
 * Null unless the document has several mutations and one of them failed. Mutations are executed in the order of the
 * document. If one with a non-null type fails, `data` is null and the following ones are not executed. An error with a path
 * below a mutation means that the mutation succeeded and a field of its result failed.
 */
function executedFields({ keys, data, errors }: OperationResult): ExecutedFields | null {
  if (data === undefined || !errors?.length || keys.length < 2) return null;
  const named = new Set(errors.map(({ path }) => path?.[0]));
  const failed = new Set(errors.flatMap(({ path }) => (path?.length === 1 ? [path[0]] : [])));
  const begun = data === null ? keys.slice(0, keys.findLastIndex((key) => named.has(key)) + 1) : keys;
  return { executed: begun.filter((key) => !failed.has(key)), notExecuted: keys.slice(begun.length) };
}

function responseOf(
  data: OperationResult['data'],
  errors: GraphQLFormattedError[] | undefined,
  fields: ExecutedFields | null,
  { mediaType, isDryRun }: OutcomeOptions,
): MutationResponse {
  if (data && !errors && !isDryRun) return { status: 200, headers: {}, body: { data } };
  const extensions = { ...(isDryRun && { dryRun: true }), ...fields };
  const body = {
    ...(errors && { errors }),
    ...(data !== undefined && { data }),
    ...((isDryRun || fields) && { extensions }),
  };
  const refused = errors && isEmpty(data) ? postponed(errors, fields) : undefined;
  if (refused) return { ...refused, body };
  return { status: data === undefined ? refusalStatus(mediaType) : 200, headers: {}, body };
}

/** Partial data keeps status 200. */
function isEmpty(data: OperationResult['data']): boolean {
  return data == null || Object.values(data).every((value) => value === null);
}

/**
 * The status and headers of a response without data, if the token was revoked meanwhile, a part of the service is
 * unavailable or a rate limit is reached; otherwise undefined. A client that gets 401, 503 or 429 sends the document
 * again, so it gets none of them if a mutation of the document was executed.
 */
function postponed(
  errors: GraphQLFormattedError[],
  fields: ExecutedFields | null,
): Pick<MutationResponse, 'status' | 'headers'> | undefined {
  if (fields?.executed.length) return undefined;
  const codes = errors.map(({ extensions }) => extensions?.['code']);
  if (codes.includes('LOGIN_REQUIRED')) return { status: httpStatusByCode.LOGIN_REQUIRED, headers: loginHeader };
  if (codes.includes('SERVICE_UNAVAILABLE'))
    return { status: httpStatusByCode.SERVICE_UNAVAILABLE, headers: retryAfterHeader };
  if (!codes.includes('RATE_LIMITED')) return undefined;
  const seconds = errors.map(({ extensions }) => Number(extensions?.['retryAfter'] ?? 0));
  return { status: httpStatusByCode.RATE_LIMITED, headers: { 'retry-after': String(Math.max(1, ...seconds)) } };
}

/** GraphQL over HTTP: legacy clients, which accept `application/json`, expect status 200 with errors. */
function refusalStatus(mediaType: ResponseMediaType): number {
  return mediaType === graphqlMediaType ? 400 : 200;
}
