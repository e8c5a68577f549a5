import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { authorizedApp } from '../../drizzle/app.ts';
import { webhook, webhookDelivery, webhookRecord, type WebhookScope } from '../../drizzle/webhook.ts';
import { grantingScopes } from '../app-scope.ts';
import { CONSOLE_STORE_APP_ID } from '../app/console-code.ts';
import type { Context } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { idFilter, type StringFilter } from '../db/filter/filter.ts';
import { afterCursor, encodeCursor, order, orderBy, pageRequest } from '../db/read/pagination.ts';
import { isId } from '../db/sql/id.ts';
import { ownedBy, textArray } from '../db/sql/parameter.ts';
import type { QueryExplainWebhookListArgs, WebhookExplanationPaginationResponse } from '../graphql/generated/types.ts';
import { visibleApps } from './app-visibility.ts';
import { explainSituation } from './explain-situation.ts';
import { deletedWebhooks } from './explain/deleted-webhooks.ts';
import { isOfOtherKind, type Question, readSituations, recordOf } from './explain/situation.ts';
import { readScopeOf, scopesOfRecordKind } from './ledger/record-kinds.ts';
import { parseQuestion } from './webhook-question.ts';

/** The columns of the rows that `candidates` selects. */
const found = { id: sql.raw('found.id') as unknown as AnyPgColumn, rank: sql.raw('found.rank') };

const LIST = 'explanation';
const byRank = order('rank', {
  rank: {
    key: found.rank,
    text: (key) => sql`${key}::text`,
    parse: (text) => (/^[0-3]$/.test(text) ? sql`${Number(text)}::int` : null),
  },
});

export async function explainWebhookList(
  ctx: Context,
  args: QueryExplainWebhookListArgs,
): Promise<WebhookExplanationPaginationResponse> {
  const { question, unknownRecord } = parseQuestion(ctx, args);
  if (!isId(question.recordId)) throw unknownRecord();
  const { limit, page } = pageRequest(args.pagination);
  const { count, isKnown, apps } = await readCandidates(ctx, args, question);
  if (!isKnown) throw unknownRecord();
  const shown = apps.slice(0, limit);
  const ids = shown.map(({ id }) => id);
  const situations = new Map((await readSituations(ctx, question, ids)).map((one) => [one.app.id, one]));
  const last = shown.at(-1);
  return {
    count,
    data: ids.flatMap((id) => situations.get(id) ?? []).map((situation) => explainSituation(situation, question)),
    endCursor: last ? encodeCursor(LIST, byRank, String(last.rank), last.id) : null,
    hasNext: apps.length > limit,
    limit,
    page,
  };
}

type Candidate = { id: string; rank: number };

/** `apps`: those of the page, and one more that shows whether there is a next page. */
async function readCandidates(
  ctx: Context,
  { authorizedAppId, pagination }: QueryExplainWebhookListArgs,
  question: Question,
): Promise<{ count: number; isKnown: boolean; apps: Candidate[] }> {
  const { after, limit, page } = pageRequest(pagination);
  const beyond = after === null ? sql`true` : afterCursor(after, LIST, byRank, found.id);
  const offset = after === null ? (page - 1) * limit : 0;
  const [read] = await readRows(
    ctx,
    { count: column.number, isKnown: column.boolean, apps: column.json<Candidate[]> },
    sql`
    with found as materialized (${candidates(ctx, question.scope, authorizedAppId)})
    select (select count(*)::int from found) as "count", ${isKnownRecord(ctx, question)} as "isKnown",
      coalesce((select json_agg(shown) from (
        select found.id, found.rank from found where ${beyond}
        order by ${orderBy(byRank, found.id)} limit ${limit + 1} offset ${offset}
      ) as shown), '[]') as "apps"`,
  );
  return read!;
}

/** The apps that could have got the event. `rank` 0: with a webhook of the scope. */
function candidates(ctx: Context, scope: WebhookScope, appFilter: StringFilter | null | undefined): SQL {
  const { id, scopes, storeAppId, revokedAt } = authorizedApp;
  const ofResource = scopesOfRecordKind(scope);
  const hasWebhook = (anyOf: readonly WebhookScope[]): SQL => sql`exists (
      select from ${webhook}
      where ${ownedBy(ctx, webhook)} and ${webhook.authorizedAppId} = ${id} and ${webhook.scope} = any(${textArray(anyOf)}))`;
  const hadWebhook = (anyOf: readonly WebhookScope[]): SQL => sql`exists (select ${deletedWebhooks(ctx, id, anyOf)})`;
  const conditions = [ownedBy(ctx, authorizedApp), ...visibleApps(ctx, id), ...idFilter(id, appFilter)];
  return sql`
    select ranked.id, ranked.rank from (
      select ${id} as id, ${revokedAt} is null and ${storeAppId} <> ${CONSOLE_STORE_APP_ID}
          and ${scopes} && ${textArray(grantingScopes(readScopeOf(scope)))} as is_reader,
        case when ${hasWebhook([scope])} then 0 when ${hadWebhook([scope])} then 1
          when ${hasWebhook(ofResource)} or ${hadWebhook(ofResource)} then 2 else 3 end as rank
      from ${authorizedApp} where ${sql.join(conditions, sql` and `)}
    ) as ranked where ranked.is_reader or ranked.rank < 3`;
}

/** A record that was removed from the database is known by its deliveries, and by the last change that was noted. */
function isKnownRecord(ctx: Context, question: Question): SQL {
  const { recordId } = question;
  return sql`(exists (${recordOf(ctx, question)})
      or not ${isOfOtherKind(ctx, question)} and (
        exists (select from ${webhookDelivery}
          where ${ownedBy(ctx, webhookDelivery)} and ${webhookDelivery.recordId} = ${recordId}::uuid)
        or exists (select from ${webhookRecord} where ${ownedBy(ctx, webhookRecord)}
          and ${webhookRecord.authorizedAppId} in (select found.id from found)
          and ${webhookRecord.recordId} = ${recordId}::uuid)))`;
}
