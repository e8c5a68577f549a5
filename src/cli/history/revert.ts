import { Command, Option } from 'commander';
import type { Context } from '../../context.ts';
import type { RevertResult } from '../../graphql/generated/types.ts';
import type { ListedConflict } from '../../revert/listed-conflicts.ts';
import { JSON_OPTION, MERCHANT_OPTION } from '../command-line/options.ts';
import { printJson, printMessage } from '../command-line/output.ts';
import { isJson } from '../command-line/table.ts';
import { EXIT_INTERRUPTED } from '../database/interruption.ts';
import { withMerchantContext } from '../database/merchant-context.ts';
import type { MerchantDatabase } from '../database/with-database.ts';
import { conflictsText, type Reverted, revertText } from './revert-text.ts';

type Options = { merchant?: string; bulkOperation?: string; change?: string[]; dryRun?: true; json?: true };

export function revert(): Command {
  return new Command('revert')
    .description('take changes back: each member gets its former value, if nobody has changed it since')
    .argument('[change set]', 'what one request, import or transaction has changed; `history` shows it')
    .addOption(new Option('--bulk-operation <id>', 'the changes of a bulk operation instead'))
    .addOption(new Option('--change <id...>', 'these changes instead'))
    .option('--dry-run', 'only print what would change')
    .option(...MERCHANT_OPTION)
    .option(...JSON_OPTION)
    .action(async (changeSetId: string | undefined, options: Options, command: Command) => {
      const { bulkOperation: bulkOperationId, change: changeIds } = options;
      const input = {
        ...(changeSetId && { changeSetId }),
        ...(bulkOperationId && { bulkOperationId }),
        ...(changeIds && { changeIds }),
      };
      if (Object.keys(input).length !== 1) command.error('error: give a change set, or --bulk-operation, or --change');
      const result = await withMerchantContext(
        options.merchant,
        (ctx, database) => takeBack(ctx, database, input, options.dryRun ?? false),
        { command: 'commerce revert' },
      );
      if (isJson(options)) printJson({ ...result, ...(options.dryRun && { dryRun: true }) });
      else if (!result.interrupted)
        process.stdout.write(
          revertText(result, { columns: process.stdout.columns ?? 80, isDryRun: options.dryRun ?? false }),
        );
    });
}

type Input = { changeSetId?: string; bulkOperationId?: string; changeIds?: string[] };

async function takeBack(
  ctx: Context,
  { interruption }: MerchantDatabase,
  input: Input,
  isDryRun: boolean,
): Promise<Reverted> {
  const { inDryRun } = await import('../../db/connection/transaction.ts');
  const { revertChanges } = await import('../../revert/revertChanges.ts');
  const { CommerceError } = await import('../../errors.ts');
  const { CommandError } = await import('../../process/command-error.ts');
  try {
    if (isDryRun) {
      const { recordCount, records, erasedCustomerIds } = await inDryRun(
        ctx,
        async (ctx) => await revertChanges(ctx, { input }, Infinity),
      );
      // Without the ids of the change set and the bulk operation: the dry run has rolled both back.
      return { recordCount, records, erasedCustomerIds };
    }
    const result = await revertChanges(ctx, { input }, Infinity);
    // Without a record it is the last run of these changes, which has ended and left nothing to be taken back.
    if (result.bulkOperationId == null || result.recordCount === 0) return result;
    const { finishRevert } = await import('../../revert/finish-revert.ts');
    const runId = result.bulkOperationId;
    const { isEnded, ...finished } = await interruption.untilInterrupted(
      async (signal) => await finishRevert(ctx, runId, printProgress, signal),
    );
    if (isEnded) return { ...result, ...finished };
    printMessage(interruptedText(result, finished.recordCount));
    process.exitCode = EXIT_INTERRUPTED;
    return { ...result, ...finished, interrupted: true };
  } catch (error) {
    if (!(error instanceof CommerceError)) throw error;
    const { conflicts, conflictCount } = error.extensions;
    const listed = conflicts ? `\n${conflictsText(conflicts as ListedConflict[], conflictCount as number)}` : '';
    throw new CommandError(`${error.message}${listed}`);
  }
}

function interruptedText({ recordCount: total, bulkOperationId, changeSetId }: RevertResult, done: number): string {
  return (
    `Interrupted: ${done} of ${total} records are taken back. A running service goes on with the others (bulk operation ` +
    `${bulkOperationId}), as the same command does. Afterwards take this back with: commerce revert ${changeSetId}`
  );
}

function printProgress(done: number, total: number): void {
  printMessage(`${done} of ${total} records`);
}
