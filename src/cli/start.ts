import { fileURLToPath } from 'node:url';
import { Command } from 'commander';

/** As in `npm start`: without a limit V8 lets the heap grow before it collects garbage. */
const HEAP_LIMIT = '--max-old-space-size=1024';

export function start(): Command {
  return new Command('start')
    .description('serve the API and send webhooks until Ctrl-C, as npm start does in the checkout')
    .option('--sample', 'load the sample catalogue into the demo shop of the embedded database')
    .action(async ({ sample }: { sample?: true }) => {
      const { CommandError } = await import('../process/command-error.ts');
      const { siblingModule } = await import('../installation/sibling-module.ts');
      const main = fileURLToPath(siblingModule(import.meta.url, '../main'));
      if (process.platform === 'win32' || !process.execve)
        throw new CommandError(`This system cannot replace a process by another. Start it: node ${HEAP_LIMIT} ${main}`);
      // The service takes the place of this process, so that it gets all signals itself.
      process.execve(process.execPath, [process.execPath, HEAP_LIMIT, main, ...(sample ? ['--sample'] : [])]);
    });
}
