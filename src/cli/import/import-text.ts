import type { Skipped } from '../../product-file/import/skipped.ts';
import { oneLine, type Row, wrappedTableText } from '../command-line/table.ts';
import { wrapText } from '../command-line/wrap-text.ts';
import type { ImportAnswer } from './import-all.ts';
import { groupedMistakes } from './mistake-groups.ts';

/** Rows of a table on a terminal. `--json` has all. */
const MAX_ROWS = 200;

type Shown = { summary?: true };

/** What an import has done, for a terminal: tables of what is wrong, and at the end a summary. */
export function importText(imported: ImportAnswer, columns: number, shown: Shown): string {
  return [...tables(imported, columns, shown), summaryText(imported, columns)].join('\n');
}

/** How to go on after Ctrl-C. */
export function interruptedText({ created, updated, dryRun }: ImportAnswer): string {
  if (dryRun) return 'Interrupted. The dry run has written nothing.';
  return `Interrupted: ${counted(created + updated, 'product')} written. Run the same command again to go on.`;
}

function tables(imported: ImportAnswer, columns: number, { summary }: Shown): string[] {
  const { skipped, kept, warnings = [], unusedCounts = [], changedMembers = [] } = imported;
  const { picturesFailed = [], picturesWithoutProduct = [], picturesRepeated = [] } = imported;
  const mistakes = summary ? groupedMistakes(skipped) : mistakeRows(skipped);
  const files = [
    ...picturesFailed.map(({ file, reason }) => ({ file, reason })),
    ...picturesWithoutProduct.map((file) => ({ file, reason: 'no product that is not deleted has this handle' })),
    ...picturesRepeated.map((file) => ({ file, reason: 'another file is of the same product' })),
  ];
  const all: [title: string, rows: Row[]][] = [
    ['Changes', changedMembers],
    ['Warnings', summary ? groupedMistakes(warnings) : mistakeRows(warnings)],
    ['Counts that are not used', mistakeRows(unusedCounts)],
    ['Left as they are in the shop', mistakeRows(kept)],
    ['Pictures that were not added', files],
    ['Skipped', mistakes],
  ];
  return all.flatMap(([title, rows]) => (rows.length === 0 ? [] : [tableOf(title, rows, columns)]));
}

function tableOf(title: string, rows: readonly Row[], columns: number): string {
  const listed = rows.slice(0, MAX_ROWS);
  const more = rows.length - listed.length;
  const rest = more === 0 ? '' : `… and ${more} more: --summary counts them, --json has all.\n`;
  return `${title}\n${wrappedTableText(listed, columns)}${rest}`;
}

/** A row for each mistake, or for what is skipped as a whole. */
function mistakeRows(skipped: readonly (Skipped & { column?: string })[]): Row[] {
  const found = skipped.flatMap(({ mistakes, ...whole }) =>
    (mistakes ?? [whole]).map((mistake) => ({ handle: whole.handle, ...mistake })),
  );
  const isSheet = found.some(({ row }) => row !== undefined);
  return found.map(({ line, row, column, handle, reason }) => ({
    ...(isSheet ? { row: row ?? line, column: column ?? null } : { line }),
    handle,
    reason,
  }));
}

function summaryText(imported: ImportAnswer, columns: number): string {
  const { created, updated, unchanged, dryRun, imagesPending, imagesRunning, imagesFailed } = imported;
  const lines: [name: string, text: string][] = [
    [dryRun ? 'would create' : 'created', counted(created, 'product')],
    [dryRun ? 'would update' : 'updated', counted(updated, 'product')],
    ['unchanged', counted(unchanged, 'product')],
    [dryRun ? 'would delete' : 'deleted', orNone(imported.variantsDeleted ?? 0, 'variant')],
    ['kept', orNone(imported.kept.length, 'product')],
    ['skipped', skippedText(imported.skipped)],
    ['warnings', imported.warningCount === undefined ? '' : counted(imported.warningCount, 'warning')],
    ['pictures', picturesText(imported)],
    ['downloads', downloadsText({ imagesPending, imagesRunning, imagesFailed })],
    ['encoding', imported.encoding === undefined ? '' : `${imported.encoding}, guessed`],
    ['ignored columns', imported.ignoredColumns.join(', ')],
    ['unknown names', imported.unknownNames.join(', ')],
    ['counts went to', imported.inventoryLocation ?? ''],
  ];
  const shown = lines.filter(([, text]) => text !== '');
  const width = Math.max(...shown.map(([name]) => name.length)) + 2;
  const wrapped = shown.flatMap(([name, text]) =>
    wrapText(name.padEnd(width) + oneLine(text), columns, ' '.repeat(width)),
  );
  return `${wrapped.join('\n')}\n`;
}

function skippedText(skipped: readonly Skipped[]): string {
  if (skipped.length === 0) return 'nothing';
  const mistakes = skipped.flatMap(({ mistakes = [] }) => mistakes);
  const rows = new Set(mistakes.map(({ line }) => line)).size;
  const products = counted(skipped.length, 'product');
  return mistakes.length === 0
    ? products
    : `${products}, with ${counted(mistakes.length, 'mistake')} in ${counted(rows, 'row')}`;
}

function picturesText(imported: ImportAnswer): string {
  const { picturesAdded, picturesKept = 0, picturesFailed = [], picturesWithoutProduct = [] } = imported;
  if (picturesAdded === undefined) return '';
  const parts = [
    `${picturesAdded} added`,
    ...(picturesFailed.length > 0 ? [`${picturesFailed.length} failed`] : []),
    ...(picturesWithoutProduct.length > 0 ? [`${picturesWithoutProduct.length} without a product`] : []),
    ...(picturesKept > 0 ? [`${counted(picturesKept, 'product')} had pictures already`] : []),
  ];
  return parts.join(', ');
}

function downloadsText({
  imagesPending,
  imagesRunning,
  imagesFailed,
}: Pick<ImportAnswer, 'imagesPending' | 'imagesRunning' | 'imagesFailed'>): string {
  if (imagesPending + imagesRunning + imagesFailed === 0) return '';
  const parts = [
    ...(imagesPending > 0 ? [`${counted(imagesPending, 'picture')} requested`] : []),
    ...(imagesRunning > 0 ? [`${imagesRunning} in the shop still to be fetched by the running service`] : []),
    ...(imagesFailed > 0
      ? [`${imagesFailed} failed (commerce import status; --retry-images requests them again)`]
      : []),
  ];
  return parts.join(', ');
}

function orNone(count: number, noun: string): string {
  return count === 0 ? '' : counted(count, noun);
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
