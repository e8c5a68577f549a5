import { Command } from 'commander';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { saveWebhook } from '../webhook/saveWebhook.ts';
import { checkScopes } from '../webhook/webhook-scope.ts';
import { MERCHANT_OPTION } from './options.ts';
import { JSON_OPTION, printList } from './table.ts';
import { everyWebhook, type ListedWebhook } from './every-webhook.ts';
import { asApp, withWebhookContext } from './webhook-context.ts';

export function webhookResume(): Command {
  return new Command('resume')
    .description('resume a paused webhook: what waited is sent to its endpoint')
    .argument('<webhook>', 'id of the webhook')
    .option(...MERCHANT_OPTION)
    .option(...JSON_OPTION)
    .action(async (id: string, options: { merchant?: string; json?: true }) => {
      const resumed = await withWebhookContext(options.merchant, (ctx) => resume(ctx, id));
      printList([resumed], ({ id, scope, endpoint, status }) => ({ id, scope, endpoint, status }), options);
    });
}

/** Saves it as it is. The endpoint is not checked here: it was when it was saved, and is at each request. */
async function resume(ctx: Context, id: string): Promise<Pick<ListedWebhook, 'id' | 'scope' | 'endpoint' | 'status'>> {
  const hook = (await everyWebhook(ctx)).find((one) => one.id === id);
  if (!hook) throw notFound('Webhook', [id]);
  const { endpoint, authorizedAppId } = hook;
  const scopes = checkScopes([hook.scope], ['scope']);
  const selection = { id: {}, scope: {}, endpoint: {}, status: {} };
  const [saved] = await saveWebhook(asApp(ctx, authorizedAppId), { input: { endpoint, scopes } }, selection, {
    endpoint,
    scopes,
    channelIds: null,
  });
  return saved!;
}
