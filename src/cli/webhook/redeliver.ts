import { Command, InvalidArgumentError } from 'commander';
import type { Context } from '../../context.ts';
import type { WebhookRedelivery } from '../../graphql/generated/types.ts';
import { JSON_OPTION, MERCHANT_OPTION } from '../command-line/options.ts';
import { printList } from '../command-line/table.ts';
import { withWebhookContext } from './webhook-context.ts';

type Options = { merchant?: string; app?: string; scope?: string; from?: number; to?: number; json?: true };

export function webhookRedeliver(): Command {
  return new Command('redeliver')
    .description('send deliveries again: those named, or the undelivered ones of an app, scope and time')
    .argument('[deliveries...]', 'ids of deliveries')
    .option('--app <id>', 'the app, with --scope')
    .option('--scope <scope>', 'kind of event, with --app')
    .option('--from <time>', 'events from this time on, ISO 8601; by default all', parseTime)
    .option('--to <time>', 'events up to this time, ISO 8601; by default until now', parseTime)
    .option(...MERCHANT_OPTION)
    .option(...JSON_OPTION)
    .action(async (idList: string[], options: Options, command: Command) => {
      const isRange = options.app !== undefined && options.scope !== undefined;
      if (isRange === idList.length > 0) command.error('error: name either deliveries, or --app and --scope');
      const outcome = await withWebhookContext(options.merchant, (ctx) => redeliver(ctx, idList, options));
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
  const { redeliverWebhookDeliveryRange } = await import('../../webhook/redeliverWebhookDeliveryRange.ts');
  return await redeliverWebhookDeliveryRange(ctx, { scope, from, to, authorizedAppId: app });
}

function parseTime(text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new InvalidArgumentError(`"${text}" is no time, such as 2026-10-10T10:02:00Z.`);
  return ms;
}
