import { Command } from 'commander';
import type { Download } from '../../image/bulk/list-downloads.ts';
import { JSON_OPTION, MERCHANT_OPTION, parseLimit } from '../command-line/options.ts';
import { printJson } from '../command-line/output.ts';
import { isJson, timeCell, wrappedTableText } from '../command-line/table.ts';
import { terminalColumns, wrapText } from '../command-line/wrap-text.ts';
import { withMerchant } from '../database/with-database.ts';

const DEFAULT_LIMIT = 100;

type Options = { merchant?: string; limit: number; json?: true };

export function importStatus(): Command {
  return new Command('status')
    .description('tell which pictures of imported products could not be fetched, and how many are still to be fetched')
    .option(...MERCHANT_OPTION)
    .option('--limit <count>', 'pictures that are listed, failed ones first', parseLimit, DEFAULT_LIMIT)
    .option(...JSON_OPTION)
    .action(async (_: Options, command: Command) => {
      // Commander gives options that `import` has too to the import.
      const { merchant, limit, json }: Options = command.optsWithGlobals();
      const found = await withMerchant(merchant, async (ctx) => {
        const { countDownloads, listDownloads } = await import('../../image/bulk/list-downloads.ts');
        const { connectedProcesses } = await import('../database/connected-processes.ts');
        const { workers } = await connectedProcesses(ctx.db);
        return { ...(await countDownloads(ctx)), workers, pictures: await listDownloads(ctx, limit) };
      });
      if (isJson({ json })) printJson(found);
      else process.stdout.write(downloadsText(found, terminalColumns()));
    });
}

type Found = { running: number; failed: number; workers: number; pictures: readonly Download[] };

/** A table of the pictures, and after it what the user can do about them. */
export function downloadsText({ running, failed, workers, pictures }: Found, columns: number): string {
  const rows = pictures.map(({ state, handle, sku, url, error, updatedAt }) => ({
    state: state === 'FAILED' ? 'failed' : 'running',
    product: handle,
    sku,
    since: timeCell(updatedAt),
    picture: error === null ? url : `${url} ${error}`,
  }));
  const more = running + failed - rows.length;
  const lines = [
    ...(more > 0 ? [`… and ${more} more: --limit lists them.`] : []),
    ...(running > 0 ? [`${running} still to be fetched.`] : ['No picture is still to be fetched.']),
    ...(running > 0 && workers === 0 ? ['No process of the service runs that fetches them: start it.'] : []),
    ...(failed > 0 ? [`${failed} failed. An import of the same file with --retry-images requests them again.`] : []),
  ];
  const table = rows.length === 0 ? '' : `${wrappedTableText(rows, columns)}\n`;
  const wrapped = lines.flatMap((line) => wrapText(line, columns));
  return `${table}${wrapped.join('\n')}\n`;
}
