import { Command } from 'commander';
import { hot } from './stock-hot.ts';
import { kills } from './stock-kills.ts';

const program = new Command('stock').description('measures the ledger of stock counts, and checks it under kills');
program
  .command('hot')
  .description('movements a second on ten counts, and how long a second merchant waits beside them')
  .argument('[seconds]', 'length of a measurement', Number, 10)
  .action(hot);
program
  .command('kills')
  .description(
    'movements and holds of 64 writers, each sent three times, under ten kills of the service and three of PostgreSQL',
  )
  .argument('[movements]', 'movements and holds', Number, 20_000)
  .action(kills);
await program.parseAsync();
