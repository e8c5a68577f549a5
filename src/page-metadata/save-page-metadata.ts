import { pageMetadata, SLUG_INDEX } from '../../drizzle/page-metadata.ts';
import type { Context } from '../context.ts';
import { newId } from '../db/sql/id.ts';
import type { OnlyColumns } from '../db/write/saved-record.ts';
import { storedRows } from '../db/write/stored-rows.ts';
import { type PipelineStep, pipeline } from '../db/connection/pipeline.ts';
import { violatedIndex } from '../db/errors/constraint-violation.ts';
import { isUnchanged } from '../db/write/unchanged.ts';
import { insertIfAbsent, upsert } from '../db/write/write.ts';
import { argumentInvalid, type InputPath } from '../errors.ts';
import { withoutUndefined } from '../field-input.ts';
import { storedLanguage } from '../merchant/merchant-language.ts';
import type { HTMLMetaDataInput } from './generated/page-metadata-input.ts';
import { freeSlugs } from './free-slugs.ts';
import { keepNumberedSlugs, releasedSlugs, type SavedRow, slugIssues, slugOfName } from './slug.ts';

type TargetType = SavedRow['targetType'];

/**
 * A record that is being saved. Its name makes the slug if it has none and none is sent. A new record (`isNew`) has no
 * stored metadata.
 */
export type PageMetadataTarget = {
  targetId: string;
  name: string;
  isNew?: boolean;
  metaData?: SentMetadata | null;
  /** The path of `metaData` in the arguments, for errors. */
  path?: InputPath;
};

type SentMetadata = OnlyColumns<Omit<HTMLMetaDataInput, 'slug'> & { slug?: string }, SavedRow>;

/** Writes one row of metadata per target. If another page has the slug, a free number is appended. */
export async function savePageMetadata(
  ctx: Context,
  targetType: TargetType,
  targets: PageMetadataTarget[],
): Promise<void> {
  if (targets.length === 0) return;
  const { steps, assignSlugs } = await preparePageMetadata(ctx, targetType, targets);
  await pipeline(ctx, steps);
  await assignSlugs();
}

/** A prepared write of metadata. */
export type PageMetadataWrite = {
  /** Updates the rows whose slug stays, and inserts new rows whose slug is free. */
  steps: PipelineStep[];
  /** The targets with new metadata, or with other metadata than before. */
  changed: ReadonlySet<string>;
  /** Finds free slugs for the other rows. True if there were any. */
  assignSlugs: () => Promise<boolean>;
};

/** Like `savePageMetadata`, for callers that send the steps together with other statements. */
export async function preparePageMetadata(
  ctx: Context,
  targetType: TargetType,
  targets: PageMetadataTarget[],
): Promise<PageMetadataWrite> {
  const stored = await rowsByTarget(
    ctx,
    targets.filter(({ isNew }) => !isNew),
  );
  refuseInvalidSlugs(targets, stored);
  // A stored record without metadata was written by plain SQL. To save it as it was read must not change it.
  const saved = targets.filter(({ targetId, metaData, isNew }) =>
    stored.has(targetId) ? metaData !== undefined : isNew || metaData != null,
  );
  const rows = await changedRows(ctx, targetType, saved, stored);
  const settled = rows.filter((row) => stored.get(row.targetId)?.slug === row.slug);
  const placed = new Set(settled.map(({ id }) => id));
  // Most slugs are free, so insert without a check first. Only taken ones get a number.
  const insertions = insertIfAbsent(
    ctx,
    pageMetadata,
    { key: ['slug'] },
    firstOfEachSlug(rows.filter(({ targetId }) => !stored.has(targetId))),
  );
  const tracked = insertions.map(({ statement, read }): PipelineStep => ({
    statement,
    read: (rows) => read(rows).forEach((id) => placed.add(id)),
  }));
  return {
    changed: new Set(rows.map(({ targetId }) => targetId)),
    steps: [...releasedSlugs(ctx, rows, stored), ...upsert(ctx, pageMetadata, ['id'], settled), ...tracked],
    assignSlugs: async () => {
      const open = rows.filter(({ id }) => !placed.has(id));
      await writeWithFreeSlugs(ctx, open, stored);
      return open.length > 0;
    },
  };
}

function refuseInvalidSlugs(targets: PageMetadataTarget[], stored: Map<string, SavedRow>): void {
  const issues = targets.flatMap(({ targetId, metaData, path = ['input', 'metaData'] }) =>
    metaData ? slugIssues(metaData, stored.get(targetId), path) : [],
  );
  if (issues.length > 0) throw argumentInvalid(issues);
}

/** The rows of new metadata, and of metadata that differs from the stored. */
async function changedRows(
  ctx: Context,
  targetType: TargetType,
  targets: PageMetadataTarget[],
  stored: Map<string, SavedRow>,
): Promise<SavedRow[]> {
  const hasNoSlug = targets.some(({ targetId, metaData }) => !stored.has(targetId) && metaData?.slug === undefined);
  const language = hasNoSlug ? (ctx.session.language ?? (await storedLanguage(ctx))) : '';
  // A name without letters and digits gets the type of the page as slug.
  const madeSlug = (name: string): string => (language && slugOfName(name, language)) || targetType.toLowerCase();
  const rows = targets.map((target) => {
    const empty = emptyRow(target.targetId, targetType, madeSlug(target.name));
    return merged(empty, target.metaData, stored.get(target.targetId));
  });
  const kept = await keepNumberedSlugs(ctx, rows, stored);
  return kept.filter((row) => !stored.has(row.targetId) || !isUnchanged(row, stored.get(row.targetId)!));
}

/** All writers lock in this order, so that two writers of the same slugs cannot deadlock. */
function firstOfEachSlug(rows: SavedRow[]): SavedRow[] {
  const first = new Map(rows.map((row) => [row.slug, row] as const).reverse());
  return [...first.values()].sort(bySlug);
}

function bySlug(a: SavedRow, b: SavedRow): number {
  return a.slug < b.slug ? -1 : 1;
}

async function rowsByTarget(ctx: Context, targets: PageMetadataTarget[]): Promise<Map<string, SavedRow>> {
  if (targets.length === 0) return new Map();
  const targetIds = targets.map(({ targetId }) => targetId);
  const rows = await pipeline(ctx, [storedRows(ctx, pageMetadata, { member: 'targetId', ids: targetIds })]);
  return new Map(rows.map((row) => [row.targetId, row]));
}

/** Members that were sent replace the stored ones. Null instead of metadata clears all members but the slug. */
function merged(empty: SavedRow, metaData: SentMetadata | null | undefined, stored: SavedRow | undefined): SavedRow {
  if (metaData === null)
    return { ...empty, ...(stored && { id: stored.id, slug: stored.slug, deleted: stored.deleted }) };
  const row: SavedRow = { ...empty, ...stored, ...(withoutUndefined(metaData ?? {}) as Partial<SavedRow>) };
  return { ...row, deleted: metaData?.deleted ?? stored?.deleted ?? false };
}

function emptyRow(targetId: string, targetType: TargetType, slug: string): SavedRow {
  return {
    id: newId(),
    targetId,
    targetType,
    slug,
    pageTitle: null,
    description: null,
    canonicals: null,
    disableIndex: null,
    redirectTo: null,
    metadataOverrides: null,
    translations: null,
    deleted: false,
  };
}

/**
 * Writes rows with a new slug. Writers that race for a slug wait at the unique index; the second one finds it taken and
 * tries the next number.
 */
async function writeWithFreeSlugs(ctx: Context, rows: SavedRow[], stored: Map<string, SavedRow>): Promise<void> {
  for (let unplaced = rows; unplaced.length > 0;) {
    const free = await freeSlugs(
      ctx,
      unplaced.map(({ slug }) => slug),
    );
    const written = await writeRows(ctx, withFreeSlugs(unplaced, free), stored);
    unplaced = unplaced.filter(({ id }) => !written.has(id));
  }
}

/**
 * The rows with free slugs. Two wanted slugs can have the same free one, such as `a-2` and a second `a`: the second row is
 * left out, and gets a slug in the next turn. Without concurrent writers there are at most two turns, because the first one
 * takes all wanted slugs that are free.
 */
function withFreeSlugs(rows: SavedRow[], free: Map<string, string[]>): SavedRow[] {
  return rows.flatMap((row) => {
    const slug = free.get(row.slug)!.shift();
    return slug === undefined ? [] : [{ ...row, slug }];
  });
}

/** Returns the ids of the rows that got their slug. */
async function writeRows(ctx: Context, rows: SavedRow[], stored: Map<string, SavedRow>): Promise<Set<string>> {
  const inOrder = rows.toSorted(bySlug);
  const updated = await updateRows(
    ctx,
    inOrder.filter(({ targetId }) => stored.has(targetId)),
  );
  const added = inOrder.filter(({ targetId }) => !stored.has(targetId));
  const inserted = await pipeline(ctx, insertIfAbsent(ctx, pageMetadata, { key: ['slug'] }, added));
  return new Set([...updated, ...(inserted ?? [])]);
}

/** Updates all rows, or none if another transaction has taken one of the slugs since: only the savepoint is rolled back then. */
async function updateRows(ctx: Context, rows: SavedRow[]): Promise<string[]> {
  if (rows.length === 0) return [];
  try {
    await ctx.db.transaction(async (db) => await pipeline({ db }, upsert(ctx, pageMetadata, ['id'], rows)));
    return rows.map(({ id }) => id);
  } catch (error) {
    if (violatedIndex(error) === SLUG_INDEX) return [];
    throw error;
  }
}
