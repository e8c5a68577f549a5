import type { OperationResult } from './execute-operation.ts';

/**
 * The response keys of a document with several mutations of which one failed: those that succeeded, and those without
 * an effect. A failed one is in neither list, but in the path of its error.
 */
export type ExecutedFields = { readonly executed: readonly string[]; readonly notExecuted: readonly string[] };

/**
 * Null unless the document has several mutations and one of them failed. Mutations are executed in their order. A failed
 * one whose type is non-null makes `data` null, and ends the execution. An error deeper in the result of a mutation says
 * that it succeeded and that its result could not be shown.
 */
export function executedFields({ keys, data, errors }: OperationResult): ExecutedFields | null {
  if (data === undefined || !errors?.length || keys.length < 2) return null;
  const named = new Set(errors.map(({ path }) => path?.[0]));
  const failed = new Set(errors.flatMap(({ path }) => (path?.length === 1 ? [path[0]] : [])));
  const begun = data === null ? keys.slice(0, keys.findLastIndex((key) => named.has(key)) + 1) : keys;
  return { executed: begun.filter((key) => !failed.has(key)), notExecuted: keys.slice(begun.length) };
}

/** The same when everything is rolled back together, as with an idempotency key. */
export function rolledBackFields({ executed, notExecuted }: ExecutedFields): ExecutedFields {
  return { executed: [], notExecuted: [...executed, ...notExecuted] };
}
