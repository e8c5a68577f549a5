import { Command } from 'commander';
import type { Context } from '../../context.ts';
import type { QueryExplainWebhookListArgs, WebhookExplanation } from '../../graphql/generated/types.ts';
import { APP_OPTION, JSON_OPTION, MERCHANT_OPTION } from '../command-line/options.ts';
import { printJson } from '../command-line/output.ts';
import { isJson } from '../command-line/table.ts';
import { terminalColumns } from '../command-line/wrap-text.ts';
import { findRecordId } from './find-record.ts';
import { withMerchantContext } from '../database/merchant-context.ts';
import { explanationsText } from './why-text.ts';

const PAGE_SIZE = 200;

type Options = { merchant?: string; app?: string; json?: true };

export function webhookWhy(): Command {
  return new Command('why')
    .description("explain what became of a record's last event of a scope, for each app that could have got it")
    .argument('<scope>', 'kind of event, for example store/product/updated')
    .argument(
      '<record>',
      'name, handle, sku or id of a product; name, e-mail, phone or id of a customer; sku or id of a stock count; id of a hold',
    )
    .option(APP_OPTION[0], `${APP_OPTION[1]}: explain it for this app only`)
    .option(...MERCHANT_OPTION)
    .option(...JSON_OPTION)
    .action(async (scope: string, record: string, options: Options) => {
      const question = await withMerchantContext(options.merchant, async (ctx) => {
        const recordId = await findRecordId(ctx, scope, record);
        return { scope, recordId, explained: await explain(ctx, scope, recordId, options.app) };
      });
      if (isJson(options)) printJson(question.explained);
      else process.stdout.write(explanationsText(question, { columns: terminalColumns(), merchant: options.merchant }));
    });
}

async function explain(
  ctx: Context,
  scope: string,
  recordId: string,
  app: string | undefined,
): Promise<WebhookExplanation[]> {
  const { explainWebhookList } = await import('../../webhook/explainWebhookList.ts');
  if (app !== undefined) return [await explainOne(ctx, scope, recordId, app)];
  const explained: WebhookExplanation[] = [];
  for (let page = 1; ; page++) {
    const args = { scope, recordId, pagination: { page, limit: PAGE_SIZE } } as QueryExplainWebhookListArgs;
    const { data, hasNext } = await explainWebhookList(ctx, args);
    explained.push(...data);
    if (!hasNext) return explained;
  }
}

/** Also for an app that could not have got the event, because it lacks the scope. */
async function explainOne(ctx: Context, scope: string, recordId: string, app: string): Promise<WebhookExplanation> {
  const { findAppId } = await import('../database/find-merchant.ts');
  const { explainWebhook } = await import('../../webhook/explainWebhook.ts');
  return await explainWebhook(ctx, { scope, recordId, authorizedAppId: await findAppId(ctx, app) });
}
