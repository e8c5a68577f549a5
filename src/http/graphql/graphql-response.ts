import type { FastifyRequest } from 'fastify';
import { type CommerceError, type ErrorCode, httpStatusByCode } from '../../errors.ts';
import { executionErrors, type GraphQLFormattedError, requestError } from '../../graphql/errors.ts';
import type { OperationResult } from '../../graphql/execute/execute-operation.ts';
import { type ExecutedFields, rolledBackFields } from '../../graphql/execute/executed-fields.ts';
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

/** What the form of a response depends on. */
export type ResponseOptions = {
  readonly request: FastifyRequest;
  readonly mediaType: ResponseMediaType;
  readonly isDryRun: boolean;
  /** Given if the document has several mutations and one of them failed. */
  readonly fields: ExecutedFields | null;
};

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
export function outcomeOf({ data, errors: raised }: OperationResult, options: ResponseOptions): MutationOutcome {
  const errors = raised && executionErrors(raised, (error) => toPublicError(error, options.request));
  const response = responseOf(data, errors, options);
  if (data === undefined) return { response, rolledBack: { response, isTransient: true } };
  if (!errors) return { response };
  const isTransient = errors.some(({ extensions }) => TRANSIENT_CODES.includes(extensions?.['code'] as ErrorCode));
  const undone = { ...options, fields: options.fields && rolledBackFields(options.fields) };
  return { response, rolledBack: { response: responseOf(null, errors, undone), isTransient } };
}

function responseOf(
  data: OperationResult['data'],
  errors: GraphQLFormattedError[] | undefined,
  { mediaType, isDryRun, fields }: ResponseOptions,
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
