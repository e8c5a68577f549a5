import { Command } from 'commander';
import type { Context } from '../../context.ts';
import { type CommerceError, conflict } from '../../errors.ts';
import type { WebhookRedelivery } from '../../graphql/generated/types.ts';
import { APP_OPTION, JSON_OPTION, MERCHANT_OPTION, parseTime } from '../command-line/options.ts';
import { printList } from '../command-line/table.ts';
import { nextCommand } from './next-command.ts';
import { withMerchantContext } from '../database/merchant-context.ts';

type Options = { merchant?: string; app?: string; scope?: string; from?: number; to?: number; json?: true };

export function webhookRedeliver(): Command {
  return new Command('redeliver')
    .description('send deliveries again: those named, or the undelivered ones of an app, scope and time')
    .argument('[deliveries...]', 'ids of deliveries')
    .option(APP_OPTION[0], `${APP_OPTION[1]}, with --scope`)
    .option('--scope <scope>', 'kind of event, with --app')
    .option('--from <time>', 'events from this time on, ISO 8601, in UTC without a zone; by default all', parseTime)
    .option('--to <time>', 'events up to this time, ISO 8601, in UTC without a zone; by default until now', parseTime)
    .option(...MERCHANT_OPTION)
    .option(...JSON_OPTION)
    .action(async (idList: string[], options: Options, command: Command) => {
      const isRange = options.app !== undefined && options.scope !== undefined;
      if (isRange === idList.length > 0) command.error('error: name either deliveries, or --app and --scope');
      const outcome = await withMerchantContext(
        options.merchant,
        (ctx) =>
          redeliver(ctx, idList, options).catch((error: unknown) => {
            throw inOwnWords(error, options.merchant);
          }),
        { needsMerchant: isRange },
      );
      printList(
        [outcome],
        ({ queuedCount, unchangedCount }) => ({ queued: queuedCount, unchanged: unchangedCount }),
        options,
      );
    });
}

async function redeliver(
  ctx: Context,
  idList: string[],
  { app, scope, from = 0, to = Date.now() }: Options,
): Promise<WebhookRedelivery> {
  if (app === undefined || scope === undefined) {
    const { redeliverWebhookDeliveryList } = await import('../../webhook/redeliverWebhookDeliveryList.ts');
    return await redeliverWebhookDeliveryList(ctx, { idList });
  }
  const { findAppId } = await import('../database/find-merchant.ts');
  const { redeliverWebhookDeliveryRange } = await import('../../webhook/redeliverWebhookDeliveryRange.ts');
  return await redeliverWebhookDeliveryRange(ctx, { scope, from, to, authorizedAppId: await findAppId(ctx, app) });
}

/** The error of a paused webhook, with the commands that resume it in place of the API's operation. */
function inOwnWords(error: unknown, merchant: string | undefined): unknown {
  const { scopes, webhookIds } = (error as Partial<CommerceError>).extensions ?? {};
  if (!(error instanceof Error) || !Array.isArray(webhookIds) || !Array.isArray(scopes)) return error;
  const commands = webhookIds.map((id) => `  ${nextCommand(`webhook resume ${id}`, merchant)}`);
  return conflict([`The webhook is paused: ${scopes.join(', ')}. Resume it first:`, ...commands].join('\n'));
}
