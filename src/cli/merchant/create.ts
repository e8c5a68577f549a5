import { Command } from 'commander';
import type { MerchantInput } from '../../merchant/merchant-input.ts';
import { JSON_OPTION } from '../command-line/options.ts';
import { printRecord } from '../command-line/table.ts';
import { withDatabase } from '../database/with-database.ts';

type Options = {
  name: string;
  email: string;
  firstName: string;
  lastName: string;
  storeName?: string;
  phone?: string;
  region?: string;
  language?: string;
  currency: string;
  json?: true;
};

export function merchantCreate(): Command {
  return new Command('create')
    .description('create a merchant')
    .option('--name <name>', 'name of the merchant', 'New merchant')
    .option('--email <address>', 'e-mail address of the person to be reached', 'merchant@example.com')
    .option('--first-name <name>', 'first name of the person to be reached', 'New')
    .option('--last-name <name>', 'last name of the person to be reached', 'Merchant')
    .option('--store-name <name>', 'name of the store')
    .option('--phone <number>', 'phone number')
    .option('--region <region>', 'region the merchant trades in, as in EU')
    .option('--language <tag>', 'language of slugs made from names, as in tr; by default that of the region')
    .option('--currency <code>', 'currency of prices without one of their own', 'USD')
    .option(...JSON_OPTION)
    .action(async (options: Options) => {
      const input = {
        merchantName: options.name,
        email: options.email,
        firstName: options.firstName,
        lastName: options.lastName,
        storeName: options.storeName,
        phoneNumber: options.phone,
        region: options.region as MerchantInput['region'],
        language: options.language,
        currencyCode: options.currency,
      };
      const created = await withDatabase(async (database) => {
        const { createMerchant } = await import('../../merchant/create-merchant.ts');
        return await createMerchant(database, { input });
      });
      printRecord(created, options);
    });
}
