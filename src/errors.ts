/**
 * All error codes. Domains throw them, and `http/` converts them to responses. Anything else that is thrown is logged
 * once and masked as INTERNAL_SERVER_ERROR.
 */
export const httpStatusByCode = {
  LOGIN_REQUIRED: 401,
  UNAUTHORIZED: 403,
  ARGUMENT_VALIDATION_ERROR: 400,
  NOT_FOUND: 404,
  CONFLICT: 409,
  INVALID_SCOPE: 400,
  GRAPHQL_PARSE_FAILED: 400,
  GRAPHQL_VALIDATION_FAILED: 400,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  SERVICE_UNAVAILABLE: 503,
  TIMEOUT: 504,
  INTERNAL_SERVER_ERROR: 500,
} as const;

/** Ids of this service and keys of other systems are shorter. */
const MAX_QUOTED_ID_LENGTH = 255;

export type ErrorCode = keyof typeof httpStatusByCode;

/** The path of a value in the arguments, for example `['input', 'variants', 0, 'prices']`. */
export type InputPath = (string | number)[];

/** A mistake in an input. */
export type Issue = { path: InputPath; message: string };

/** A response names this many mistakes at most: the first ones. */
export const MAX_ISSUES = 50;
/** After this many mistakes an input is not checked further. It can have a million. An import lists one less. */
export const MAX_FOUND_ISSUES = 1_001;

export class CommerceError extends Error {
  readonly code: ErrorCode;
  readonly extensions: Record<string, unknown>;
  override readonly name = 'CommerceError';

  constructor(code: ErrorCode, message: string, extensions: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.extensions = extensions;
  }
}

export function loginRequired(): CommerceError {
  return new CommerceError('LOGIN_REQUIRED', 'A valid access token is required.');
}

export function unauthorized(requiredScope: string): CommerceError {
  return new CommerceError('UNAUTHORIZED', `The scope ${requiredScope} is required.`, { requiredScope });
}

/** The error has all issues, for imports. Its message has the first ones, and so does a response. */
export function argumentInvalid(issues: Issue[]): CommerceError {
  const first = issues.slice(0, MAX_ISSUES);
  const message = first.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  return new CommerceError('ARGUMENT_VALIDATION_ERROR', message, { issues });
}

export function invalidAt(path: InputPath, message: string): CommerceError {
  return argumentInvalid([{ path, message }]);
}

/** The extensions of an error in a response, with the first MAX_ISSUES issues. */
export function shownExtensions({ extensions }: CommerceError): Record<string, unknown> {
  const { issues } = extensions;
  return Array.isArray(issues) ? { ...extensions, issues: issues.slice(0, MAX_ISSUES) } : extensions;
}

/** Unknown ids and ids of other merchants get the same error, byte for byte. */
export function notFound(type: string, unknownIds: string[], path?: InputPath): CommerceError {
  const ids = unknownIds.map(quotedId);
  const extensions = path ? { type, ids, path } : { type, ids };
  return new CommerceError('NOT_FOUND', `${type} not found: ${ids.join(', ')}`, extensions);
}

/** Throws unless all ids are known. */
export function refuseUnknown(type: string, ids: readonly string[], known: readonly string[], path: InputPath): void {
  const knownIds = new Set(known);
  const unknown = ids.filter((id) => !knownIds.has(id));
  if (unknown.length > 0) throw notFound(type, unknown, path);
}

/** What a client sends as an id may have megabytes. */
function quotedId(id: string): string {
  return id.length > MAX_QUOTED_ID_LENGTH ? `${id.slice(0, MAX_QUOTED_ID_LENGTH - 1).toWellFormed()}…` : id;
}

export function conflict(message: string, extensions: Record<string, unknown> = {}): CommerceError {
  return new CommerceError('CONFLICT', message, extensions);
}
