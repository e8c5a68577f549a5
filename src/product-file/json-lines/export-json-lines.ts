import type { Context } from '../../context.ts';
import { type Exported, type ExportOptions, exportProducts, type ExportTarget } from '../export/export-products.ts';

/** Writes the merchant's products, one line of JSON each. */
export async function exportJsonLines(ctx: Context, target: ExportTarget, options: ExportOptions): Promise<Exported> {
  return await exportProducts(ctx, target, options, () => ({
    head: '',
    print: (line) => ({ text: `${JSON.stringify(line)}\n`, rows: 1 }),
  }));
}
