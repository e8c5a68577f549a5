import type { Context } from '../../context.ts';
import type { AddedPictures } from '../../image/add-pictures.ts';
import type { Imported, ImportOptions, Keep } from '../../product-file/import/import-run.ts';
import type { MerchantDatabase } from '../database/with-database.ts';
import { type FileFormat, formatOf } from '../command-line/file-format.ts';
import { MemberCounts, type MemberCount } from './member-counts.ts';
import { printDifferences } from './print-differences.ts';
import type { Progress } from './progress.ts';
import type { OpenFile } from './read-file.ts';

export type ImportSettings = {
  format?: FileFormat;
  keep?: Keep;
  encoding?: string;
  retryImages?: true;
  pictures?: string;
  dryRun?: true;
  summary?: true;
  json?: true;
};

/** What the command answers. Members of pictures are there with `--pictures`. */
export type ImportAnswer = Imported & {
  /** Pictures of the shop that the service still fetches, also of earlier imports, and that it could not fetch. */
  imagesRunning: number;
  imagesFailed: number;
  picturesAdded?: number;
  picturesKept?: number;
  picturesFailed?: AddedPictures['failed'];
  picturesWithoutProduct?: string[];
  picturesRepeated?: string[];
  /** Why no more pictures could be added, such as a full storage. */
  picturesError?: string;
  dryRun?: true;
  /** With `--summary`: how many products would change each member. */
  changedMembers?: MemberCount[];
};

export async function importAll(
  database: MerchantDatabase,
  { file, chunks, again }: Pick<OpenFile, 'chunks' | 'again'> & { file: string },
  { progress, signal }: { progress: Progress; signal: AbortSignal },
  settings: ImportSettings,
): Promise<ImportAnswer> {
  const { commandContext } = await import('../database/command-context.ts');
  const ctx = commandContext(database, 'commerce import');
  const importFile = await importerOf(formatOf(file, settings.format));
  const members = new MemberCounts();
  const imported = await importFile(ctx, progress.counted(chunks), {
    ...(settings.encoding === undefined ? {} : { encoding: settings.encoding }),
    again,
    retryImages: settings.retryImages ?? false,
    keep: settings.keep,
    signal,
    onBatch: (soFar) => progress.show(soFar),
    ...(settings.dryRun ? { onDifferences: differencesShown(settings, progress, members) } : {}),
  });
  const { countDownloads } = await import('../../image/bulk/list-downloads.ts');
  const { running, failed } = await countDownloads(ctx);
  const added = imported.interrupted ? {} : await picturesOf(ctx, settings.pictures, signal);
  return {
    ...imported,
    imagesRunning: running,
    imagesFailed: failed,
    ...added,
    ...(signal.aborted && { interrupted: true }),
    ...(settings.dryRun && { dryRun: true }),
    ...(settings.dryRun && settings.summary && { changedMembers: members.list() }),
  };
}

function differencesShown(
  settings: ImportSettings,
  progress: Progress,
  members: MemberCounts,
): NonNullable<ImportOptions['onDifferences']> {
  return (found) => {
    if (settings.summary) members.add(found);
    else progress.print(() => printDifferences(found, settings));
  };
}

async function importerOf(format: FileFormat) {
  if (format === 'jsonl') return (await import('../../product-file/json-lines/import-json-lines.ts')).importJsonLines;
  return (await import('../../product-file/csv/import-csv.ts')).importCsv;
}

async function picturesOf(
  ctx: Context,
  folder: string | undefined,
  signal: AbortSignal,
): Promise<Partial<ImportAnswer>> {
  if (folder === undefined) return {};
  const { addPictures } = await import('../../image/add-pictures.ts');
  const { withImages } = await import('./with-images.ts');
  try {
    return pictureMembers(await withImages((images) => addPictures({ ...ctx, ...images }, folder, signal)));
  } catch (error) {
    // What is imported is reported anyway.
    const { describeError } = await import('../../process/describe-error.ts');
    return { picturesError: describeError(error) };
  }
}

function pictureMembers(found: AddedPictures): Partial<ImportAnswer> {
  return {
    picturesAdded: found.added,
    picturesKept: found.kept,
    picturesFailed: found.failed,
    picturesWithoutProduct: found.withoutProduct,
    picturesRepeated: found.repeated,
  };
}
