import {
  type DocumentNode,
  execute as executeDocument,
  executeRootSelectionSet,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
} from 'graphql';
import type { Context } from '../../context.ts';
import { argumentInvalid } from '../../errors.ts';
import { inputError } from '../errors.ts';
import { largestListSize, variableIssues } from '../input/arguments.ts';
import { literalIssues } from '../input/literal-issues.ts';
import { withLongVariables } from '../input/long-variables.ts';
import { createFastPath, type DocumentResult } from './fast-path.ts';

/** Invalid variables reported for one request. */
const MAX_COERCION_ERRORS = 50;

export type { DocumentNode, DocumentResult, ExecutionArgs, ExecutionResult };
export type ExecuteDocument = (args: ExecutionArgs) => Promise<DocumentResult>;

/** Executes valid documents: checks variables and literals, then takes the fast path, or else graphql-js. */
export function createDocumentExecutor(schema: GraphQLSchema): ExecuteDocument {
  const maxListSize = largestListSize(schema);
  const tryFastPath = createFastPath(schema);
  return async (args) => {
    const ctx = (args.contextValue ?? {}) as Pick<Context, 'slices'>;
    const issues = await variableIssues(ctx, args.variableValues ?? {}, maxListSize);
    const issuesOfLiterals = literalIssues(args.document);
    if (issues.length + issuesOfLiterals.length > 0)
      return { errors: [inputError(argumentInvalid([...issues, ...issuesOfLiterals]))] };
    const result = await tryFastPath(args);
    if (result) return result;
    const contextValue = { ...(args.contextValue as object), countsFields: true };
    const complete = {
      ...args,
      contextValue,
      hideSuggestions: true,
      options: { maxCoercionErrors: MAX_COERCION_ERRORS },
    };
    const validated = await withLongVariables(ctx, complete);
    return await (validated ? executeRootSelectionSet(validated) : executeDocument(complete));
  };
}
