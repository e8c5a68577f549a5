import type { Context } from '../context.ts';
import { type CommerceError, notFound } from '../errors.ts';
import { RECORD_KINDS, recordKindOf } from './ledger/record-kinds.ts';
import { parseReadableScope } from './webhook-scope.ts';
import type { Question } from './explain/situation.ts';

/** Throws if the scope is unknown, or if the token may not read its records. */
export function parseQuestion(
  ctx: Context,
  args: { scope: string; recordId: string },
): { question: Question; unknownRecord: () => CommerceError } {
  const scope = parseReadableScope(ctx, args.scope);
  const { recordId } = args;
  const unknownRecord = () => notFound(RECORD_KINDS[recordKindOf(scope)].type, [recordId], ['recordId']);
  return { question: { scope, recordId }, unknownRecord };
}
