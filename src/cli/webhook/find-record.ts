import type { Context } from '../../context.ts';
import type { RecordKind } from '../../webhook/ledger/record-kinds.ts';
import { oneLine } from '../command-line/table.ts';

/** Records that are named in a message. */
const MAX_NAMED = 10;

const KEYS: Readonly<Record<RecordKind, string>> = {
  product: 'name, handle, sku or id',
  customer: 'name, e-mail address, phone number or id',
  stock: 'sku or id',
  hold: 'id',
};

/** A record of a scope's kind as a list of candidates shows it. */
type Named = { id: string; title: string };

/**
 * The id of the record that a text means: of a product its name, handle (slug), sku or id, of a customer the name,
 * e-mail address, phone number or id, of a stock count the sku of its variant or the id, of a hold the id. Throws if there
 * are several, or none, with the ids of those that it may be.
 */
export async function findRecordId(ctx: Context, scope: string, text: string): Promise<string> {
  const { CommandError } = await import('../../process/command-error.ts');
  const { findRecords } = await import('../../change/find-records.ts');
  const { isId } = await import('../../db/sql/id.ts');
  const { RECORD_KINDS, recordKindOf } = await import('../../webhook/ledger/record-kinds.ts');
  const { parseWebhookScopes } = await import('../../webhook/webhook-scope.ts');
  const kind = recordKindOf(parseWebhookScopes([scope], ['scope'])[0]!);
  const { changeType } = RECORD_KINDS[kind];
  const ids = changeType ? await findRecords(ctx, changeType, text) : [text].filter(isId);
  if (ids.length === 1) return ids[0]!;
  const quoted = JSON.stringify(text);
  if (ids.length > 1) {
    const several = `${ids.length} records are meant by ${quoted}. Give the id of one:`;
    throw new CommandError(withLines(several, await named(ctx, kind, { ids })));
  }
  const none = `No ${kind} has the ${KEYS[kind]} ${quoted}.`;
  const similar = await named(ctx, kind, { search: text });
  throw new CommandError(similar.length === 0 ? none : withLines(`${none} These contain it:`, similar));
}

function withLines(message: string, records: readonly Named[]): string {
  const lines = records.slice(0, MAX_NAMED).map(({ id, title }) => `  ${id}  ${oneLine(title)}`.trimEnd());
  return [message, ...lines, ...(records.length > MAX_NAMED ? ['  …'] : [])].join('\n');
}

async function named(ctx: Context, kind: RecordKind, by: { ids: string[] } | { search: string }): Promise<Named[]> {
  if (kind === 'stock' || kind === 'hold') return 'ids' in by ? by.ids.map((id) => ({ id, title: '' })) : [];
  const args = {
    includeDeleted: true,
    pagination: { limit: MAX_NAMED + 1 },
    ...('ids' in by ? { id: { in: by.ids } } : { search: by.search }),
  };
  if (kind === 'product') {
    const { listProduct } = await import('../../product/listProduct.ts');
    const { data } = await listProduct(ctx, args as never, { data: { id: {}, name: {} } });
    return data.map(({ id, name }) => ({ id, title: name }));
  }
  const { listCustomer } = await import('../../customer/listCustomer.ts');
  const { data } = await listCustomer(ctx, args as never, { data: { id: {}, fullName: {}, email: {} } });
  return data.map(({ id, fullName, email }) => ({ id, title: [fullName, email].filter(Boolean).join(', ') }));
}
