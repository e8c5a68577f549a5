import { Command } from 'commander';
import { JSON_OPTION, MERCHANT_OPTION } from '../command-line/options.ts';
import { printWideList } from '../command-line/table.ts';
import { withMerchantContext } from '../database/merchant-context.ts';

const SELECTION = { id: {}, scope: {}, endpoint: {}, status: {} };

export function webhookResume(): Command {
  return new Command('resume')
    .description('resume a paused webhook: what waited is sent to its endpoint')
    .argument('<webhook>', 'id of the webhook')
    .option(...MERCHANT_OPTION)
    .option(...JSON_OPTION)
    .action(async (id: string, options: { merchant?: string; json?: true }) => {
      const resumed = await withMerchantContext(
        options.merchant,
        async (ctx) => {
          const { resumeWebhook } = await import('../../webhook/resumeWebhook.ts');
          return await resumeWebhook(ctx, { id }, SELECTION);
        },
        { command: 'commerce webhook resume' },
      );
      printWideList([resumed], ({ id, scope, endpoint, status }) => ({ id, scope, endpoint, status }), options);
    });
}
