import { Command } from 'commander';
import { JSON_OPTION, LOCATION_OPTION, MERCHANT_OPTION, parseLimit } from '../command-line/options.ts';
import { printJson } from '../command-line/output.ts';
import { isJson } from '../command-line/table.ts';
import { terminalColumns } from '../command-line/wrap-text.ts';
import { withMerchantContext } from '../database/merchant-context.ts';
import { stockText } from './why-text.ts';

type Options = { merchant?: string; location?: string; limit: number; json?: true };

export function stockWhy(): Command {
  return new Command('why')
    .description('explain the counts of a variant: what changed them, when and by whom, newest first, and what is held')
    .argument('<sku>', 'sku or id of the variant')
    .option(LOCATION_OPTION[0], `${LOCATION_OPTION[1]}: its count only`)
    .option('--limit <number>', 'at most so many movements and active holds of each location', parseLimit, 20)
    .option(...MERCHANT_OPTION)
    .option(...JSON_OPTION)
    .action(async (text: string, { merchant, location, limit, json }: Options) => {
      const { variant, counts } = await withMerchantContext(merchant, async (ctx) => {
        const { findLocation, findVariant } = await import('../database/find-place.ts');
        const { explainedStock } = await import('./explained-stock.ts');
        const variant = await findVariant(ctx, text);
        const stockLocationId = location === undefined ? undefined : (await findLocation(ctx, location)).id;
        const place = { variantId: variant.id, stockLocationId };
        return { variant, counts: await explainedStock(ctx, place, limit) };
      });
      if (isJson({ json })) {
        const { id, productId, sku, name } = variant;
        printJson({ variantId: id, productId, sku, productName: name, locations: counts });
      } else process.stdout.write(stockText(variant, counts, terminalColumns()));
    });
}
