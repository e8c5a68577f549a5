import {
  type DocumentNode,
  execute as executeDocument,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
} from 'graphql';
import { argumentInvalid } from '../../errors.ts';
import { longestList, variableIssues } from '../input/arguments.ts';
import { inputError } from '../errors.ts';
import { literalIssues } from '../input/literal-issues.ts';
import { createFastPath, JsonText, type DocumentResult } from './fast-path.ts';

/** Wrong variables that are told apart before graphql-js stops looking for more. */
const MAX_COERCION_ERRORS = 50;

export { JsonText, type DocumentResult };
export type { DocumentNode, ExecutionArgs, ExecutionResult };
export type ExecuteDocument = (args: ExecutionArgs) => Promise<DocumentResult>;

export function createDocumentExecutor(schema: GraphQLSchema): ExecuteDocument {
  const longest = longestList(schema);
  const tryFastPath = createFastPath(schema);
  return async (args) => {
    const issues = variableIssues(args.variableValues ?? {}, longest);
    const ofLiterals = literalIssues(args.document);
    if (issues.length + ofLiterals.length > 0)
      return { errors: [inputError(argumentInvalid([...issues, ...ofLiterals]))] };
    const passed = await tryFastPath(args);
    if (passed) return passed;
    const contextValue = { ...(args.contextValue as object), countsFields: true };
    return await executeDocument({
      ...args,
      contextValue,
      hideSuggestions: true,
      options: { maxCoercionErrors: MAX_COERCION_ERRORS },
    });
  };
}
