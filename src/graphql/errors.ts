import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { CommerceError, ErrorCode, Issue } from '../errors.ts';

/** graphql-js repeats a wrong value in what it says about it, however long the value is. */
const maxMessageLength = 1_000;

/** How graphql-js says that a value of a variable or an argument has the wrong type. */
const wrongValue =
  /^(?:Variable "\$(?<variable>\w+)"|Argument "[^"]*?(?<argument>\w+):?\)?") has invalid value(?: at (?<path>(?:\.\w+|\[\d+\])+))?: (?<message>[^]*)$/;

export type { GraphQLFormattedError };

/** Makes of anything thrown what may be told, and logs what may not. */
export type Translate = (error: unknown) => CommerceError;

/** What was wrong with a document as a whole: nothing of it was executed. */
export function documentErrors(errors: readonly GraphQLError[], code: ErrorCode): GraphQLFormattedError[] {
  return errors.map((error) => format(error, error.message, { code }));
}

/** What went wrong when a document was executed. */
export function executionErrors(errors: readonly GraphQLError[], translate: Translate): GraphQLFormattedError[] {
  return errors.map((error) => executionError(error, translate));
}

/** An error of the service about the whole request. */
export function requestError(error: CommerceError): GraphQLFormattedError {
  return { message: error.message, extensions: { code: error.code, ...error.extensions } };
}

export function isGraphQLError(value: unknown): value is GraphQLError {
  return value instanceof GraphQLError;
}

export function inputError(error: CommerceError): GraphQLError {
  return new GraphQLError(error.message, { originalError: error });
}

function executionError(error: GraphQLError, translate: Translate): GraphQLFormattedError {
  const wrong = isOfGraphQL(error) ? wrongValue.exec(error.message) : null;
  if (wrong?.groups)
    return format(error, error.message, { code: 'ARGUMENT_VALIDATION_ERROR', issues: [issueOf(wrong.groups)] });
  if (isOfGraphQL(error) && !error.path) return format(error, error.message, { code: 'ARGUMENT_VALIDATION_ERROR' });
  const told = translate(isOfGraphQL(error) ? error : error.originalError);
  return format(error, told.message, { code: told.code, ...told.extensions });
}

/** Whether graphql-js itself found the error, and no resolver threw it. */
function isOfGraphQL(error: GraphQLError): boolean {
  return !error.originalError || (error.originalError instanceof GraphQLError && isOfGraphQL(error.originalError));
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
  return message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message;
}
