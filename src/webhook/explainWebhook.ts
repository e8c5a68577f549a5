import type { Context } from '../context.ts';
import { isId } from '../db/sql/id.ts';
import { notFound } from '../errors.ts';
import type { QueryExplainWebhookArgs, WebhookExplanation } from '../graphql/generated/types.ts';
import { checkAppsReadable } from './app-visibility.ts';
import { explainSituation } from './explain-situation.ts';
import { parseQuestion } from './webhook-question.ts';
import { readSituations } from './explain/situation.ts';

export async function explainWebhook(
  ctx: Context,
  args: Omit<QueryExplainWebhookArgs, 'authorizedAppId'> & { authorizedAppId?: string | null },
): Promise<WebhookExplanation> {
  const { question, unknownRecord } = parseQuestion(ctx, args);
  const authorizedAppId = args.authorizedAppId ?? ctx.session.authorizedAppId;
  checkAppsReadable(ctx, [authorizedAppId]);
  const unknownApp = () => notFound('AuthorizedApp', [authorizedAppId], ['authorizedAppId']);
  if (!isId(authorizedAppId)) throw unknownApp();
  if (!isId(question.recordId)) throw unknownRecord();
  const [situation] = await readSituations(ctx, question, [authorizedAppId]);
  if (!situation) throw unknownApp();
  const { record, change, delivery } = situation;
  if (!record && !change && !delivery) throw unknownRecord();
  return explainSituation(situation, question);
}
