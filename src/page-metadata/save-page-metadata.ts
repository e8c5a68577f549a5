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
import { argumentInvalid, type InputPath } from '../errors.ts';
import { withoutUndefined } from '../field-input.ts';
import { merchantLanguage } from '../merchant/merchant-language.ts';
import type { HTMLMetaDataInput } from './generated/page-metadata-input.ts';
import { isNumberedSlug, numberedSlug, slugIssues, slugOfName } from './slug.ts';

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
  metaData?: SentMetadata | null;
  /** The path of `metaData` in the arguments, for errors. */
  path?: InputPath;
};

type SentMetadata = Omit<HTMLMetaDataInput, 'slug'> & { slug?: string };

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
  const saved = targets.filter(({ targetId, metaData }) => metaData !== undefined || !stored.has(targetId));
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
    steps: [...upsert(ctx, pageMetadata, ['id'], settled), ...tracked],
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
  const language = hasNoSlug ? await merchantLanguage(ctx) : '';
  // A name without letters and digits gets the type of the page as slug.
  const madeSlug = (name: string): string => (language && slugOfName(name, language)) || targetType.toLowerCase();
  const rows = targets.map((target) => {
    const empty = emptyRow(target.targetId, targetType, madeSlug(target.name));
    return merged(empty, target.metaData, stored.get(target.targetId));
  });
  const kept = await keepNumberedSlugs(ctx, rows, stored);
  return kept.filter((row) => !stored.has(row.targetId) || !isUnchanged(row, stored.get(row.targetId)!));
}

/** A record that has a number of the sent slug, because another record has the slug itself, keeps that number. */
async function keepNumberedSlugs(ctx: Context, rows: SavedRow[], stored: Map<string, SavedRow>): Promise<SavedRow[]> {
  const isNumbered = ({ targetId, slug }: SavedRow): boolean => isNumberedSlug(stored.get(targetId)?.slug ?? '', slug);
  const sent = rows.filter(isNumbered).map(({ slug }) => slug);
  if (sent.length === 0) return rows;
  const taken = await takenSlugs(ctx, sent);
  return rows.map((row) =>
    isNumbered(row) && taken.has(row.slug) ? { ...row, slug: stored.get(row.targetId)!.slug } : row,
  );
}

/** All writers lock in this order, so that two writers of the same slugs cannot deadlock. */
function firstOfEachSlug(rows: SavedRow[]): SavedRow[] {
  const first = new Map(rows.map((row) => [row.slug, row] as const).reverse());
  return [...first.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1));
}

async function rowsByTarget(ctx: Context, targets: PageMetadataTarget[]): Promise<Map<string, SavedRow>> {
  if (targets.length === 0) return new Map();
  const targetIds = targets.map(({ targetId }) => targetId);
  const rows = await pipeline(ctx, [storedRows(ctx, pageMetadata, { member: 'targetId', ids: targetIds })]);
  return new Map(rows.map((row) => [row.targetId, row]));
}

type SavedRow = StoredRow<typeof pageMetadata>;

/** Members that were sent replace the stored ones. Null instead of metadata clears all members but the slug. */
function merged(empty: SavedRow, metaData: SentMetadata | null | undefined, stored: SavedRow | undefined): SavedRow {
  if (metaData === null)
    return { ...empty, ...(stored && { id: stored.id, slug: stored.slug, deleted: stored.deleted }) };
  const row: SavedRow = { ...empty, ...stored, ...(withoutUndefined(metaData ?? {}) as Partial<SavedRow>) };
  return { ...row, deleted: row.deleted ?? false };
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
  const numbers = Array.from({ length: Math.min(to - from + 1, 1_000) }, (_, index) =>
    numberedSlug(slug, from + index),
  );
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
  const inserted = await pipeline(ctx, insertIfAbsent(ctx, pageMetadata, { key: ['slug'] }, added));
  return new Set([...known.map(({ id }) => id), ...(inserted ?? [])]);
}
