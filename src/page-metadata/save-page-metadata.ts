import slugify from '@sindresorhus/slugify';
import { and, sql } from 'drizzle-orm';
import { pageMetadata } from '../../drizzle/page-metadata.ts';
import type { Context } from '../context.ts';
import { newId } from '../db/sql/id.ts';
import { textArray } from '../db/sql/parameter.ts';
import { storedRows, type StoredRow } from '../db/write/stored-rows.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import { type PipelineStep, pipeline } from '../db/connection/pipeline.ts';
import { isUnchanged } from '../db/write/unchanged.ts';
import { insertIfAbsent, upsert } from '../db/write/write.ts';
import { MAX_NAME_LENGTH, withoutUndefined } from '../field-input.ts';
import type { PageMetadataInput } from './page-metadata-input.ts';

/** Numbers tried in the first round for a taken slug; each round tries ten times as many. */
const FIRST_NUMBERS = 10;
const MAX_ROUNDS = 6;

type TargetType = StoredRow<typeof pageMetadata>['targetType'];

/**
 * A record that is being saved. Its name makes the slug if it has none and none is sent. A new record (`isNew`) has no
 * stored metadata.
 */
export type PageMetadataTarget = {
  targetId: string;
  name: string;
  isNew?: boolean;
  metaData?: (Omit<PageMetadataInput, 'slug'> & { slug?: string }) | null;
};

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

/** The steps of a write. */
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
  const rows = targets
    .filter(({ targetId, metaData }) => metaData !== undefined || !stored.has(targetId))
    .map((target) => merged(targetType, target, stored.get(target.targetId)))
    .filter((row) => !stored.has(row.targetId) || !isUnchanged(row, stored.get(row.targetId)!));
  const settled = rows.filter((row) => stored.get(row.targetId)?.slug === row.slug);
  const placed = new Set(settled.map(({ id }) => id));
  // Most slugs are free, so insert without a check first. Only taken ones get a number.
  const insertions = insertIfAbsent(
    ctx,
    pageMetadata,
    ['slug'],
    firstOfEachSlug(rows.filter(({ targetId }) => !stored.has(targetId))),
  );
  const tracked = insertions.map(({ statement, read }): PipelineStep => ({
    statement,
    read: (rows) => read(rows).forEach((id) => placed.add(id)),
  }));
  return {
    changed: new Set(rows.map(({ targetId }) => targetId)),
    steps: [...upsert(ctx, pageMetadata, ['id'], settled), ...tracked],
    assignSlugs: async () => {
      const open = rows.filter(({ id }) => !placed.has(id));
      await writeWithFreeSlugs(ctx, open, stored);
      return open.length > 0;
    },
  };
}

/** All writers lock in this order, so that two writers of the same slugs cannot deadlock. */
function firstOfEachSlug(rows: SavedRow[]): SavedRow[] {
  const first = new Map(rows.map((row) => [row.slug, row] as const).reverse());
  return [...first.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1));
}

async function rowsByTarget(ctx: Context, targets: PageMetadataTarget[]): Promise<Map<string, SavedRow>> {
  if (targets.length === 0) return new Map();
  const targetIds = targets.map(({ targetId }) => targetId);
  const rows = await pipeline(ctx, [storedRows(ctx, pageMetadata, 'targetId', targetIds)]);
  return new Map(rows.map((row) => [row.targetId, row]));
}

type SavedRow = StoredRow<typeof pageMetadata>;

/** Members that were sent replace the stored ones. Null instead of metadata clears all members but the slug. */
function merged(
  targetType: TargetType,
  { targetId, name, metaData }: PageMetadataTarget,
  stored: SavedRow | undefined,
): SavedRow {
  const empty = emptyRow(targetId, targetType, name);
  if (metaData === null)
    return { ...empty, ...(stored && { id: stored.id, slug: stored.slug, deleted: stored.deleted }) };
  const row: SavedRow = { ...empty, ...stored, ...(withoutUndefined(metaData ?? {}) as Partial<SavedRow>) };
  return { ...row, deleted: row.deleted ?? false };
}

function emptyRow(targetId: string, targetType: TargetType, name: string): SavedRow {
  return {
    id: newId(),
    targetId,
    targetType,
    slug: slugOf(name, targetType),
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

/** Names without a Latin transliteration get the type of the page as slug. */
function slugOf(name: string, targetType: TargetType): string {
  return slugify(name).slice(0, MAX_NAME_LENGTH - 10) || targetType.toLowerCase();
}

/**
 * Writes rows with a new slug. Writers that race for a slug wait at the unique index; the second one finds it taken and
 * tries the next number.
 */
async function writeWithFreeSlugs(ctx: Context, rows: SavedRow[], stored: Map<string, SavedRow>): Promise<void> {
  let unplaced = rows;
  for (let round = 0; unplaced.length > 0 && round < MAX_ROUNDS;) {
    const candidates = unplaced.map(({ slug }) => numbered(slug, round));
    const taken = await takenSlugs(ctx, candidates.flat());
    const chosen = unplaced.flatMap((row, index) => {
      const slug = candidates[index]!.find((candidate) => !taken.has(candidate));
      if (slug === undefined) return [];
      taken.add(slug);
      return [{ row, placed: { ...row, slug } }];
    });
    const written = await writeRows(
      ctx,
      chosen.map(({ placed }) => placed),
      stored,
    );
    const done = new Set(chosen.filter(({ placed }) => written.has(placed.id)).map(({ row }) => row));
    if (chosen.length === 0) round++;
    unplaced = unplaced.filter((row) => !done.has(row));
  }
}

/** `shirt`, `shirt-2` … `shirt-10`, in the next round `shirt-11` … `shirt-100`, and so on. */
function numbered(slug: string, round: number): string[] {
  const from = round === 0 ? 2 : FIRST_NUMBERS ** round + 1;
  const to = FIRST_NUMBERS ** (round + 1);
  const numbers = Array.from({ length: Math.min(to - from + 1, 1_000) }, (_, index) => `${slug}-${from + index}`);
  return round === 0 ? [slug, ...numbers] : numbers;
}

async function takenSlugs(ctx: Context, slugs: string[]): Promise<Set<string>> {
  const rows = await ctx.db
    .select({ slug: pageMetadata.slug })
    .from(pageMetadata)
    .where(and(ownedBy(ctx, pageMetadata), sql`${pageMetadata.slug} = any(${textArray(slugs)})`));
  return new Set(rows.map(({ slug }) => slug));
}

/** Returns the ids of the rows that got their slug. */
async function writeRows(ctx: Context, rows: SavedRow[], stored: Map<string, SavedRow>): Promise<Set<string>> {
  const known = rows.filter(({ targetId }) => stored.has(targetId));
  const added = rows.filter(({ targetId }) => !stored.has(targetId)).sort((a, b) => (a.slug < b.slug ? -1 : 1));
  await pipeline(ctx, upsert(ctx, pageMetadata, ['id'], known));
  const inserted = await pipeline(ctx, insertIfAbsent(ctx, pageMetadata, ['slug'], added));
  return new Set([...known.map(({ id }) => id), ...(inserted ?? [])]);
}
