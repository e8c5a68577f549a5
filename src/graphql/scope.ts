import { defaultFieldResolver, type DirectiveNode, type DocumentNode, type GraphQLField, type GraphQLSchema } from 'graphql';
import { type AppScope, isAppScope, scopeIsGranted } from '../app/scopes.ts';
import type { Context, Session } from '../context.ts';
import { argumentInvalid, loginRequired, unauthorized } from '../errors.ts';
import { argumentIssues } from './arguments.ts';
import { type OperationDefinitionNode, rootFieldNames } from './operation.ts';

/** The context of a request without a token, which may ask about the schema and nothing else. */
export type Anonymous = { readonly session: null };

/**
 * Puts before each operation what holds for all: a session, the scope its directive names, arguments
 * that can be used. A missing scope is an error of that operation; others of the document still run.
 */
export function guardOperations(schema: GraphQLSchema): void {
  for (const type of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) guard(`${type?.name}.${field.name}`, field);
  }
}

/** Throws where the operation is not executed but answered from what is stored: that needs the same scopes. */
export function checkScopes(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode, { scopes }: Session): void {
  const fields = schema.getRootType(operation.operation)?.getFields() ?? {};
  for (const name of rootFieldNames(document, operation)) {
    const required = fields[name]?.extensions['requiredScope'] as AppScope | null | undefined;
    if (required && !scopeIsGranted(scopes, required)) throw unauthorized(required);
  }
}

function guard(name: string, field: GraphQLField<unknown, Context | Anonymous>): void {
  const required = requirement(name, field.astNode?.directives ?? []);
  const resolve = field.resolve;
  if (!resolve || resolve === defaultFieldResolver) throw new Error(`${name} has no resolver`);
  field.extensions = { ...field.extensions, requiredScope: required };
  field.resolve = (source, args, context, info) => {
    if (!context.session) throw loginRequired();
    if (required && !scopeIsGranted(context.session.scopes, required)) throw unauthorized(required);
    const issues = argumentIssues(field.args, args);
    if (issues.length > 0) throw argumentInvalid(issues);
    return resolve(source, args, context, info);
  };
}

/** The scope an operation asks for, or null where a valid token is enough. */
function requirement(name: string, directives: readonly DirectiveNode[]): AppScope | null {
  const scope = directives.find((directive) => directive.name.value === 'requiresScope');
  if (!scope) {
    if (directives.some((directive) => directive.name.value === 'authenticated')) return null;
    throw new Error(`${name} has neither @requiresScope nor @authenticated`);
  }
  const value = scope.arguments?.[0]?.value;
  const word = value?.kind === 'EnumValue' ? value.value.toLowerCase() : '';
  if (!isAppScope(word)) throw new Error(`${name}: there is no scope ${word}`);
  return word;
}
