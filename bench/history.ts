import { Command } from 'commander';
import { cost } from './history-cost.ts';
import { kills } from './history-kills.ts';
import { list } from './history-list.ts';
import { wholeNumber } from './whole-number.ts';

const program = new Command('history').description('measures what a history costs to read, to remove and to write');
program
  .command('list', { isDefault: true })
  .description('listChange among many changes, and the removal of a month beside a writer')
  .argument('[changes]', 'changes of 13 months', wholeNumber, 1_000_000)
  .action(list);
program
  .command('kills')
  .description('random changes under ten kills of the service, and whether asOf finds the shop as it was')
  .argument('[changes]', 'changes by requests and by plain SQL', wholeNumber, 10_000)
  .argument('[moments]', 'moments at which the shop is read', wholeNumber, 1_000)
  .action(kills);
program
  .command('cost')
  .description("Postgres' CPU for W5, W6 and W7 with a history, without one, and before there were histories")
  .argument('[rounds]', 'requests of each subject', wholeNumber, 15)
  .action(cost);
await program.parseAsync();
