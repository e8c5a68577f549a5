import { Command } from 'commander';
import { cost } from './stock-cost.ts';
import { hot } from './stock-hot.ts';
import { kills } from './stock-kills.ts';
import { wholeNumber } from './whole-number.ts';

const program = new Command('stock').description('measures the ledger of stock counts, and checks it under kills');
program
  .command('hot')
  .description('movements a second on ten counts, and how long a second merchant waits beside them')
  .argument('[seconds]', 'length of a measurement', wholeNumber, 10)
  .action(hot);
program
  .command('kills')
  .description(
    'movements and holds of 64 writers, each sent three times, under ten kills of the service and three of PostgreSQL',
  )
  .argument('[movements]', 'movements and holds', wholeNumber, 20_000)
  .action(kills);
program
  .command('cost')
  .description("Postgres' CPU for 1,000 changed and 1,000 unchanged counts, against the commit before the ledger")
  .action(async () => await cost());
await program.parseAsync();
