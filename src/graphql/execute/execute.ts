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
import { createPassthrough, JsonText, type Result } from './fast-path.ts';

/** Wrong variables that are told apart before graphql-js stops looking for more. */
const maxCoercionErrors = 50;

export { JsonText, type Result };
export type { DocumentNode, ExecutionArgs, ExecutionResult };
export type Execute = (args: ExecutionArgs) => Promise<Result>;

export function createExecute(schema: GraphQLSchema): Execute {
  const longest = longestList(schema);
  const passThrough = createPassthrough(schema);
  return async (args) => {
    const issues = variableIssues(args.variableValues ?? {}, longest);
    const ofLiterals = literalIssues(args.document);
    if (issues.length + ofLiterals.length > 0)
      return { errors: [inputError(argumentInvalid([...issues, ...ofLiterals]))] };
    const passed = await passThrough(args);
    if (passed) return passed;
    const contextValue = { ...(args.contextValue as object), countsFields: true };
    return await executeDocument({ ...args, contextValue, hideSuggestions: true, options: { maxCoercionErrors } });
  };
}
