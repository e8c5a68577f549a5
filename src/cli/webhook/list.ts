import { Command } from 'commander';
import type { ListedWebhook } from './every-webhook.ts';
import { APP_OPTION, JSON_OPTION, MERCHANT_OPTION } from '../command-line/options.ts';
import { printWideList, type Row, timeCell } from '../command-line/table.ts';
import { withMerchantContext } from '../database/merchant-context.ts';
import { appFilter } from './app-filter.ts';

export function webhookList(): Command {
  return new Command('list')
    .description("list a merchant's webhooks with their health in the last 24 hours")
    .option(APP_OPTION[0], `${APP_OPTION[1]}: its webhooks only`)
    .option(...MERCHANT_OPTION)
    .option(...JSON_OPTION)
    .action(async (options: { merchant?: string; app?: string; json?: true }) => {
      const webhooks = await withMerchantContext(options.merchant, async (ctx) => {
        const { everyWebhook } = await import('./every-webhook.ts');
        return await everyWebhook(ctx, await appFilter(ctx, options.app));
      });
      printWideList(webhooks, webhookRow, options);
    });
}

function webhookRow({ id, appName, scope, endpoint, status, health }: ListedWebhook): Row {
  const { requestCount, successRate, durationP95Ms, oldestPendingAt, lastFailureAt } = health;
  return {
    app: appName,
    scope,
    status,
    endpoint,
    id,
    requests: requestCount,
    success: typeof successRate === 'number' ? `${Math.round(successRate * 1_000) / 10} %` : null,
    'p95 ms': durationP95Ms ?? null,
    'oldest pending': timeCell(oldestPendingAt),
    'last failure': timeCell(lastFailureAt),
  };
}
