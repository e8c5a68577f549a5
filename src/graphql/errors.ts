import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { type CommerceError, type ErrorCode, type Issue, shownExtensions } from '../errors.ts';

/** Messages of graphql-js quote invalid values, however long they are. */
export const MAX_MESSAGE_LENGTH = 1_000;

/** The message of graphql-js about an invalid value of a variable or an argument. */
const INVALID_VALUE_MESSAGE =
  /^(?:Variable "\$(?<variable>\w+)"|Argument "[^"]*?(?<argument>\w+):?\)?") has invalid value(?: at (?<path>(?:\.\w+|\[\d+\])+))?: (?<message>[^]*)$/;

export type { GraphQLFormattedError };

/** Converts anything thrown into an error that clients may see, and logs the rest. */
export type ToPublicError = (error: unknown) => CommerceError;

/** Errors of a document that was not executed. */
export function documentErrors(errors: readonly GraphQLError[], code: ErrorCode): GraphQLFormattedError[] {
  return errors.map((error) => format(error, error.message, { code, ...suggestionsOf(error) }));
}

/** Errors of a document that was executed. */
export function executionErrors(
  errors: readonly GraphQLError[],
  toPublicError: ToPublicError,
): GraphQLFormattedError[] {
  return errors.map((error) => executionError(error, toPublicError));
}

/** An error of the whole request. */
export function requestError(error: CommerceError): GraphQLFormattedError {
  return { message: error.message, extensions: { code: error.code, ...shownExtensions(error) } };
}

export function isGraphQLError(value: unknown): value is GraphQLError {
  return value instanceof GraphQLError;
}

export function inputError(error: CommerceError): GraphQLError {
  return new GraphQLError(error.message, { originalError: error });
}

function executionError(error: GraphQLError, toPublicError: ToPublicError): GraphQLFormattedError {
  const wrong = isFromGraphQLJs(error) ? INVALID_VALUE_MESSAGE.exec(error.message) : null;
  if (wrong?.groups)
    return format(error, error.message, {
      code: 'ARGUMENT_VALIDATION_ERROR',
      issues: [issueOf(wrong.groups)],
      ...suggestionsOf(error),
    });
  if (isFromGraphQLJs(error) && !error.path)
    return format(error, error.message, {
      code: 'ARGUMENT_VALIDATION_ERROR',
      issues: [{ path: [], message: shortened(error.message) }],
    });
  const publicError = toPublicError(isFromGraphQLJs(error) ? error : error.originalError);
  return format(error, publicError.message, { code: publicError.code, ...shownExtensions(publicError) });
}

/** Whether graphql-js itself found the error, not a resolver. */
function isFromGraphQLJs(error: GraphQLError): boolean {
  return !error.originalError || (error.originalError instanceof GraphQLError && isFromGraphQLJs(error.originalError));
}

/** What `suggestNames` has added. */
function suggestionsOf({ extensions: { suggestions } }: GraphQLError): { suggestions?: unknown } {
  return suggestions === undefined ? {} : { suggestions };
}

function issueOf(groups: Record<string, string | undefined>): Issue {
  const members = groups['path']?.match(/\w+/g) ?? [];
  const path = members.map((member) => (/^\d+$/.test(member) ? Number(member) : member));
  return {
    path: [groups['variable'] ?? groups['argument'] ?? '', ...path],
    message: shortened(groups['message'] ?? ''),
  };
}

function format(error: GraphQLError, message: string, extensions: Record<string, unknown>): GraphQLFormattedError {
  const { locations, path } = error;
  return { message: shortened(message), ...(locations && { locations }), ...(path && { path }), extensions };
}

function shortened(message: string): string {
  return message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed()}…` : message;
}
