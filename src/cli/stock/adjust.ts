import { randomUUID } from 'node:crypto';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Context } from '../../context.ts';
import { selectFields } from '../../values/select-fields.ts';
import type { StockMovement, StockMovementKindEnum } from '../../graphql/generated/types.ts';
import { JSON_OPTION, LOCATION_OPTION, MERCHANT_OPTION } from '../command-line/options.ts';
import { printMessage } from '../command-line/output.ts';
import { printRecord } from '../command-line/table.ts';
import { withMerchantContext } from '../database/merchant-context.ts';

/** An object and not a list, so that the compiler reports a missing kind. */
const KINDS: Readonly<Record<StockMovementKindEnum, true>> = {
  RECEIVED: true,
  SOLD: true,
  RETURNED: true,
  DAMAGED: true,
  COUNTED: true,
  MOVED: true,
  CORRECTED: true,
  IMPORTED: true,
  OPENED: true,
};

type Options = {
  merchant?: string;
  location: string;
  reason?: string;
  reference?: string;
  kind: StockMovementKindEnum;
  key?: string;
  expectedCount?: number;
  allowNegative?: true;
  json?: true;
};

export function stockAdjust(): Command {
  return new Command('adjust')
    .description('add to the count of a variant at a location, or take from it')
    .argument('<sku>', 'sku or id of the variant')
    .argument('<delta>', 'what is added, for example 5; -5 takes away', parseCount)
    .requiredOption(...LOCATION_OPTION)
    .option('--reason <text>', 'why, for people')
    .option('--reference <text>', 'what it belongs to, for example the number of an order')
    .addOption(new Option('--kind <kind>', 'what happened').choices(Object.keys(KINDS)).default('CORRECTED'))
    .option('--key <key>', 'a text of your own: with the same key it is done only once; by default a new UUID')
    .option('--expected-count <number>', 'only if this is the count before', parseCount)
    .option('--allow-negative', 'also if less than 0 is available afterwards')
    .option(...MERCHANT_OPTION)
    .option(...JSON_OPTION)
    .action(async (sku: string, delta: number, options: Options) => {
      const { movement, isRepeated } = await withMerchantContext(
        options.merchant,
        (ctx) => adjust(ctx, { sku, delta, ...options }),
        { command: 'commerce stock adjust' },
      );
      const { changeSet, ...members } = movement;
      if (isRepeated) printMessage('The key was used before: this is its movement, and nothing was changed.');
      printRecord({ ...members, changeSetId: changeSet.id }, options);
    });
}

type Adjustment = Options & { sku: string; delta: number };

async function adjust(ctx: Context, adjustment: Adjustment): Promise<{ movement: StockMovement; isRepeated: boolean }> {
  const { adjustStock } = await import('../../stock/adjustStock.ts');
  const { findLocation, findVariant } = await import('../database/find-place.ts');
  const { CommerceError } = await import('../../errors.ts');
  const { refusedAdjustment } = await import('./refused-adjustment.ts');
  const {
    sku,
    delta,
    location,
    reason,
    reference,
    kind,
    key = randomUUID(),
    expectedCount,
    allowNegative,
  } = adjustment;
  const variant = await findVariant(ctx, sku);
  const { id: stockLocationId, name } = await findLocation(ctx, location);
  const place = { productId: variant.productId, variantId: variant.id, stockLocationId };
  const entry = { ...place, delta, kind, key, reason, reference, expectedCount, allowNegative };
  const printKey = () =>
    printMessage(`The adjustment may have been made. Repeat it with: --key ${JSON.stringify(key)}`);
  process.once('SIGINT', printKey);
  const [movement] = await adjustStock(ctx, { input: [entry] }, MOVEMENT)
    .catch((error: unknown) => {
      if (!(error instanceof CommerceError)) printKey();
      throw refusedAdjustment(error, { key, location: name, sku, expectedCount });
    })
    .finally(() => process.off('SIGINT', printKey));
  return { movement: movement!, isRepeated: movement!.changeSet.id !== ctx.origin?.changeSetId };
}

const MOVEMENT = {
  ...selectFields(
    'id kind delta countAfter reason reference key sequence createdAt productId variantId stockLocationId',
  ),
  changeSet: selectFields('id'),
};

function parseCount(text: string): number {
  if (/^[+-]?\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is no number, such as 5, -5 or 0.5.');
}
