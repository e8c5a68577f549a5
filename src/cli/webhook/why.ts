import { Command } from 'commander';
import type { Context } from '../../context.ts';
import type { WebhookExplanation } from '../../graphql/generated/types.ts';
import { JSON_OPTION, MERCHANT_OPTION } from '../command-line/options.ts';
import { printList } from '../command-line/table.ts';
import { asApp, withWebhookContext } from './webhook-context.ts';

type Options = { merchant?: string; app?: string; json?: true };

export function webhookWhy(): Command {
  return new Command('why')
    .description("explain what became of a record's last event of a scope, for each app that listens to it")
    .argument('<scope>', 'kind of event, for example store/product/updated')
    .argument('<record>', 'id of the customer, product or stock count')
    .option('--app <id>', 'explain it for this app only')
    .option(...MERCHANT_OPTION)
    .option(...JSON_OPTION)
    .action(async (scope: string, recordId: string, options: Options) => {
      const explained = await withWebhookContext(options.merchant, (ctx) => explain(ctx, scope, recordId, options.app));
      printList(explained, ({ authorizedAppId, code, message }) => ({ app: authorizedAppId, code, message }), options);
    });
}

type AppExplanation = WebhookExplanation & { authorizedAppId: string };

async function explain(ctx: Context, scope: string, recordId: string, app?: string): Promise<AppExplanation[]> {
  const { explainWebhook } = await import('../../webhook/explainWebhook.ts');
  const explained: AppExplanation[] = [];
  for (const authorizedAppId of app === undefined ? await listeners(ctx, scope) : [app]) {
    const explanation = await explainWebhook(asApp(ctx, authorizedAppId), { scope, recordId });
    explained.push({ authorizedAppId, ...explanation });
  }
  return explained;
}

/** The apps with a webhook of the scope. Without one every app, which says that nothing is registered. */
async function listeners(ctx: Context, scope: string): Promise<string[]> {
  const { listApps } = await import('../../app/list-apps.ts');
  const { everyWebhook } = await import('./every-webhook.ts');
  const listening = (await everyWebhook(ctx, scope)).map(({ authorizedAppId }) => authorizedAppId);
  return listening.length > 0 ? listening : (await listApps(ctx)).map(({ authorizedAppId }) => authorizedAppId);
}
