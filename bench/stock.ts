import { Command } from 'commander';
import { hot } from './stock-hot.ts';

const program = new Command('stock').description('measures the ledger of stock counts, and checks it under kills');
program
  .command('hot')
  .description('movements a second on ten counts, and how long a second merchant waits beside them')
  .argument('[seconds]', 'length of a measurement', Number, 10)
  .action(hot);
await program.parseAsync();
