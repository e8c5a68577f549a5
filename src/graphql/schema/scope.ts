import { defaultFieldResolver, type GraphQLField, type GraphQLSchema } from 'graphql';
import { type AppScope, grantingScopes, isAppScope, scopeIsGranted } from '../../app-scope.ts';
import type { Context, Session } from '../../context.ts';
import { argumentInvalid, type Issue, loginRequired, unauthorized } from '../../errors.ts';
import { directiveOf } from '../directives.ts';
import { argumentIssues } from '../input/arguments.ts';
import type { Preparation } from './preparation.ts';

/** The context of introspection, which needs no token. */
export type AnonymousContext = Pick<Context, 'responseSize'> & { readonly session: null; readonly slices?: undefined };

/** What the resolver of a root field returned. */
export type Settled = { readonly value: unknown };
/** The context with which graphql-js completes a value: the resolver is not called again. */
export type SettledContext = { readonly settled?: Settled };

/**
 * Wraps the resolver of each operation by the checks that all have in common: session, scope of its directive,
 * arguments. A missing scope is an error of that root field; the others of the document are executed.
 */
export function guardOperations(schema: GraphQLSchema): void {
  for (const rootType of ['Query', 'Mutation'] as const) {
    const fields = (rootType === 'Query' ? schema.getQueryType() : schema.getMutationType())?.getFields() ?? {};
    for (const field of Object.values(fields)) guard(rootType, field);
  }
}

/**
 * Checks the scopes of a mutation whose stored response is returned. Its resolvers, which check them otherwise, do not
 * run.
 */
export function requireScopes(schema: GraphQLSchema, operations: readonly string[], { scopes }: Session): void {
  const fields = schema.getMutationType()?.getFields() ?? {};
  for (const name of operations) {
    const required = fields[name]?.extensions['requiredScope'] as AppScope | null | undefined;
    if (required && !scopeIsGranted(scopes, required)) throw unauthorized(required);
  }
}

function guard(rootType: 'Query' | 'Mutation', field: GraphQLField<unknown, Context | AnonymousContext>): void {
  const name = `${rootType}.${field.name}`;
  const required = requiredScope(name, field);
  const granting = required && grantingScopes(required);
  const resolve = field.resolve;
  if (!resolve || resolve === defaultFieldResolver) throw new Error(`${name} has no resolver`);
  const check = (args: Record<string, unknown>, ctx: Context | AnonymousContext): void | Promise<void> => {
    const { session } = ctx;
    if (!session) throw loginRequired();
    if (granting && !granting.some((scope) => session.scopes.has(scope))) throw unauthorized(required);
    const issues = argumentIssues(ctx, field.args, args, rootType);
    return issues instanceof Promise ? issues.then(refuse) : refuse(issues);
  };
  const preparation = field.extensions['preparation'] as Preparation | undefined;
  field.extensions = {
    ...field.extensions,
    requiredScope: required,
    ...(preparation && { preparation: { ...preparation, prepare: checkedPrepare(check, preparation) } }),
  };
  field.resolve = (source, args, context, info) => {
    const { settled } = context as SettledContext;
    if (settled) return settled.value;
    const checked = check(args, context);
    return checked instanceof Promise
      ? checked.then(() => resolve(source, args, context, info))
      : resolve(source, args, context, info);
  };
}

function refuse(issues: Issue[]): void {
  if (issues.length > 0) throw argumentInvalid(issues);
}

/** Preparations run before the resolvers, so they need the same checks. */
function checkedPrepare(
  check: (args: Record<string, unknown>, ctx: Context) => void | Promise<void>,
  { prepare }: Preparation,
): Preparation['prepare'] {
  return async (args, ctx) => {
    await check(args, ctx);
    return await prepare(args, ctx);
  };
}

/** The scope of `@requiresScope`, or null with `@authenticated`. */
function requiredScope(name: string, field: GraphQLField<unknown, Context | AnonymousContext>): AppScope | null {
  const given = directiveOf(field, 'requiresScope');
  if (!given) {
    if (directiveOf(field, 'authenticated')) return null;
    throw new Error(`${name} has neither @requiresScope nor @authenticated`);
  }
  const word = String(given['scope']).toLowerCase();
  if (!isAppScope(word)) throw new Error(`${name}: there is no scope ${word}`);
  return word;
}
