import { type DocumentNode, execute as executeDocument, type ExecutionArgs, type ExecutionResult, type GraphQLSchema } from 'graphql';
import { argumentInvalid } from '../errors.ts';
import { longestList, variableIssues } from './arguments.ts';
import { inputError } from './errors.ts';

/** Wrong variables that are told apart before graphql-js stops looking for more. */
const maxCoercionErrors = 50;

export type { DocumentNode, ExecutionArgs, ExecutionResult };
export type Execute = (args: ExecutionArgs) => Promise<ExecutionResult> | ExecutionResult;

export function createExecute(schema: GraphQLSchema): Execute {
  const longest = longestList(schema);
  return (args) => {
    const issues = variableIssues(args.variableValues ?? {}, longest);
    if (issues.length > 0) return { errors: [inputError(argumentInvalid(issues))] };
    return executeDocument({ ...args, hideSuggestions: true, options: { maxCoercionErrors } });
  };
}
