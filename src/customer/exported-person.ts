import { getTableColumns, sql } from 'drizzle-orm';
import { customer } from '../../drizzle/customer.ts';
import { idempotencyKey } from '../../drizzle/idempotency.ts';
import { scopeIsGranted } from '../app-scope.ts';
import { listChange } from '../change/listChange.ts';
import type { Context } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { maxSentBytes } from '../db/read/complete-records.ts';
import { readRecord } from '../db/read/read-records.ts';
import { idArray, ownedBy } from '../db/sql/parameter.ts';
import { epochMs } from '../db/sql/timestamp.ts';
import { notFound } from '../errors.ts';
import { selectFields } from '../values/select-fields.ts';
import { listWebhookDelivery } from '../webhook/listWebhookDelivery.ts';
import { customerProjection } from './customer.ts';
import { getErasure } from './getErasure.ts';

/** Payloads of deliveries have up to 1 MiB, answers of keys up to 4. */
const PAGE_SIZE = 20;

/**
 * What is stored of a customer, as the pieces of one JSON text: the record, its receipt, changes, deliveries, and the
 * answers of idempotency keys. Deliveries and answers of other apps need the scopes that show them. Left out is what
 * only an erasure looks for: the actors of other records' changes, and the results of reverts.
 */
export async function* exportedPerson(ctx: Context, id: string): AsyncGenerator<string> {
  const record = await readRecord(ctx, customerProjection, id, MEMBERS);
  if (!record) throw notFound('Customer', [id], ['id']);
  const receipt = await getErasure(ctx, { id }, RECEIPT);
  yield JSON.stringify({ customer: record, erasure: receipt }).slice(0, -'}'.length);
  yield* listPieces('changes', async (after) => {
    const args = { recordType: 'CUSTOMER', recordId: { eq: id }, pagination: pageAfter(after) } as const;
    return await listChange(ctx, args, { data: CHANGE, endCursor: {}, hasNext: {} });
  });
  yield* listPieces('webhookDeliveries', async (after) => {
    const args = { recordId: { eq: id }, pagination: pageAfter(after) };
    return await listWebhookDelivery(ctx, args, { data: DELIVERY, endCursor: {}, hasNext: {} });
  });
  yield* listPieces('idempotencyKeys', async (after) => await keysAfter(ctx, id, after));
  yield '}\n';
}

type ListPage = { data: readonly object[]; hasNext: boolean; endCursor?: string | null };

async function* listPieces(name: string, read: (after: string | null) => Promise<ListPage>): AsyncGenerator<string> {
  yield `,${JSON.stringify(name)}:[`;
  let separator = '';
  for (let after: string | null = null; ;) {
    const page: ListPage = await read(after);
    for (const entry of page.data) {
      yield separator + JSON.stringify(entry);
      separator = ',';
    }
    if (!page.hasNext) break;
    after = page.endCursor!;
  }
  yield ']';
}

function pageAfter(after: string | null) {
  return { limit: PAGE_SIZE, ...(after !== null && { after }) };
}

const STORED_ANSWER = {
  cursor: column.text,
  authorizedAppId: column.text,
  key: column.text,
  createdAt: column.number,
  answer: column.nullable(column.text),
  bytes: column.number,
};

/**
 * Keys belong to an app, and the answer repeats what the app may have read. As in pages of records, answers beyond the
 * limit of a statement are counted and not sent.
 */
async function keysAfter(ctx: Context, id: string, after: string | null): Promise<ListPage> {
  const { authorizedAppId, key, answer, createdAt, customerIds } = idempotencyKey;
  const cursor = sql`${authorizedAppId}::text || ' ' || ${key}`;
  const seesAllApps = scopeIsGranted(ctx.session.scopes, 'read_apps');
  const isShown = seesAllApps ? sql`true` : sql`${authorizedAppId} = ${ctx.session.authorizedAppId}::uuid`;
  const bytesMax = maxSentBytes(ctx);
  const bytesSoFar = sql`sum(octet_length(${answer})) over (order by ${cursor} rows unbounded preceding)`;
  const rows = await readRows(
    ctx,
    STORED_ANSWER,
    sql`
    select ${cursor} as "cursor", ${authorizedAppId} as "authorizedAppId", ${key} as "key",
      ${epochMs(createdAt)} as "createdAt", octet_length(${answer}) as "bytes",
      case when ${bytesSoFar} <= ${sql.raw(String(bytesMax))} then ${answer} end as "answer"
    from ${idempotencyKey}
    where ${ownedBy(ctx, idempotencyKey)} and ${customerIds} && ${idArray([id])} and ${isShown}
      and ${cursor} > ${after ?? ''} order by 1 limit ${sql.raw(String(PAGE_SIZE))}`,
  );
  const read = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  ctx.responseSize?.read(read, bytesMax);
  const data = rows.map(({ authorizedAppId, key, createdAt, answer }) => ({ authorizedAppId, key, createdAt, answer }));
  return { data, hasNext: rows.length === PAGE_SIZE, endCursor: rows.at(-1)?.cursor ?? null };
}

const COLUMNS = Object.keys(getTableColumns(customer)).filter(
  (name) => !['merchantId', 'sequence', 'searchText', 'erasureId'].includes(name),
);
const MEMBERS = Object.fromEntries([...COLUMNS, 'customerSequence'].map((name) => [name, {}]));
const RECEIPT = { ...selectFields('id customerIds createdAt'), items: selectFields('place count') };
const DELIVERY = selectFields(
  'id authorizedAppId createdAt scope endpoint sequence status payload changes truncated attempts',
);
const CHANGE = {
  ...selectFields('id createdAt number kind truncated'),
  members: selectFields('path before after'),
  changeSet: selectFields('id operation requestId idempotencyKey actor databaseRole'),
};
