import type { Context } from '../context.ts';
import { type CommerceError, notFound } from '../errors.ts';
import { recordKindOf } from './ledger/read-scopes.ts';
import { parseReadableScope } from './webhook-scope.ts';
import type { Question } from './explain/situation.ts';

const RECORD_TYPES: Record<string, string> = {
  customer: 'Customer',
  product: 'Product',
  stock: 'ProductStockLocation',
  hold: 'StockHold',
};

/** Throws if the scope is unknown, or if the token may not read its records. */
export function parseQuestion(
  ctx: Context,
  args: { scope: string; recordId: string },
): { question: Question; unknownRecord: () => CommerceError } {
  const scope = parseReadableScope(ctx, args.scope);
  const { recordId } = args;
  const unknownRecord = () => notFound(RECORD_TYPES[recordKindOf(scope)]!, [recordId], ['recordId']);
  return { question: { scope, recordId }, unknownRecord };
}
