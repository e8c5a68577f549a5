import { Command } from 'commander';
import { rotateAppSecret } from '../app/rotateAppSecret.ts';
import { printJson } from './output.ts';
import { MERCHANT_OPTION, whichApp } from './which.ts';
import { atWorkplace } from './workplace.ts';

export function appRotateSecret(): Command {
  return new Command('rotate-secret')
    .description('give an app another secret, which is told this once; the old one ends at once')
    .argument('<app>', 'id or client id of the app')
    .option(...MERCHANT_OPTION)
    .action(async (named: string, options: { merchant?: string }) => printJson(await atWorkplace(async (workplace) => {
      const app = await whichApp(workplace, named, options.merchant);
      const clientSecret = await rotateAppSecret({ ...workplace, merchantId: app.merchantId }, app);
      return { ...app, clientSecret };
    })));
}
