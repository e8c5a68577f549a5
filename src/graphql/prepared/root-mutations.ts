import {
  type FieldNode,
  getArgumentValues,
  type GraphQLField,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import type { Context } from '../../context.ts';
import { invalidAt } from '../../errors.ts';
import { collectFields, type Fragments, responseKey } from '../document/collect-fields.ts';
import type { VariableValues } from '../input/variables.ts';
import type { RootField } from '../plan/operation-plan.ts';
import { type Preparation, preparationOf, type Preparations } from '../schema/preparation.ts';

/** A root field of a mutation, also one that a directive may leave out. */
export type RootMutation = {
  readonly key: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly preparation: Preparation | undefined;
};

/** The root fields of a mutation, one per response key; none of a query. */
export function rootMutations(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Fragments,
): readonly RootMutation[] {
  if (operation.operation !== 'mutation') return [];
  const known = schema.getMutationType()?.getFields() ?? {};
  const byKey = Map.groupBy(collectFields([operation.selectionSet], fragments), responseKey);
  return [...byKey].flatMap(([key, [node]]) => {
    const field = known[node!.name.value];
    return field ? [{ key, field, preparation: preparationOf(field) }] : [];
  });
}

/** Refuses an operation with two root fields that send, also if a directive leaves one of them out. */
export function checkSingleSender(mutations: readonly RootMutation[]): void {
  const [, another] = mutations.filter(({ preparation }) => preparation?.sends);
  if (another) throw invalidAt([another.key], `${another.field.name} may be called once in a document`);
}

/**
 * Refuses a root field that sends in a dry run, and one that would send before root fields in front of it are executed.
 */
export function checkSender(mutations: readonly RootMutation[], isDryRun: boolean): void {
  const sender = mutations.find(({ preparation }) => preparation?.sends);
  if (!sender) return;
  const {
    key,
    field: { name },
  } = sender;
  if (isDryRun) throw invalidAt(['X-Dry-Run'], `cannot be used with ${name}, which sends`);
  if (sender !== mutations[0])
    throw invalidAt([key], `must be the first operation of a document that is sent with an Idempotency-Key`);
}

/** Prepares root fields concurrently. */
export async function prepareFields(
  ctx: Context,
  fields: readonly RootField[],
  variableValues: VariableValues,
): Promise<Preparations> {
  const prepared = fields.flatMap(({ key, nodes, field }) => {
    const preparation = field && preparationOf(field);
    return preparation ? [prepareField(ctx, { key, field, node: nodes[0]! }, preparation, variableValues)] : [];
  });
  return new Map(await Promise.all(prepared));
}

type PreparedField = { readonly key: string; readonly field: GraphQLField<unknown, unknown>; readonly node: FieldNode };

async function prepareField(
  ctx: Context,
  { key, node, field }: PreparedField,
  { prepare }: Preparation,
  variableValues: VariableValues,
): Promise<[string, PromiseSettledResult<unknown>]> {
  const work = async (): Promise<unknown> => await prepare(getArgumentValues(field, node, variableValues), ctx);
  const [settled] = await Promise.allSettled([work()]);
  return [key, settled];
}
