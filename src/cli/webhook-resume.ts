import { Command } from 'commander';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { JSON_OPTION, MERCHANT_OPTION } from './options.ts';
import { printList } from './table.ts';
import type { ListedWebhook } from './every-webhook.ts';
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
  const { everyWebhook } = await import('./every-webhook.ts');
  const { saveWebhook } = await import('../webhook/saveWebhook.ts');
  const { checkScopes } = await import('../webhook/webhook-scope.ts');
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
