import slugify from '@sindresorhus/slugify';
import { and, sql } from 'drizzle-orm';
import { pageMetadata } from '../../drizzle/page-metadata.ts';
import type { Context } from '../context.ts';
import type { PipelineStep } from '../db/connection/pipeline.ts';
import { objectsOf } from '../db/read/stored-list.ts';
import { ownedBy, textArray } from '../db/sql/parameter.ts';
import type { StoredRow } from '../db/write/stored-rows.ts';
import { update } from '../db/write/write.ts';
import type { InputPath, Issue } from '../errors.ts';
import { MAX_NAME_LENGTH } from '../field-input.ts';
import type { HTMLMetaDataInput } from './generated/page-metadata-input.ts';

/** Code points left for `-` and a number. */
const MAX_SUFFIX_LENGTH = 8;
const MAX_MADE_LENGTH = MAX_NAME_LENGTH - MAX_SUFFIX_LENGTH;

/** What a URL contains as it is. Letters of any script, but no upper case, since addresses differ by case. */
const SLUG = /^[\p{Ll}\p{Lm}\p{Lo}\p{M}\p{Nd}._~-]*[\p{Ll}\p{Lm}\p{Lo}\p{Nd}][\p{Ll}\p{Lm}\p{Lo}\p{M}\p{Nd}._~-]*$/u;
const NOT_IN_SLUG = /[^\p{Ll}\p{Lm}\p{Lo}\p{M}\p{Nd}]+/gu;
const RULE = 'must consist of lower-case letters, digits, "-", "_", "." and "~", with at least one letter or digit';

/**
 * The slug of a name. It has the Latin transliteration of the name, if its script has one: `Ürün` becomes `urun` in
 * Turkish and `ueruen` in German. A name whose letters have none, such as a Chinese or Hebrew one, keeps its own
 * letters. The slug is empty if the name has no letters and no digits.
 */
export function slugOfName(name: string, language: string): string {
  const latin = latinSlug(name, language);
  return /[a-z]/.test(latin) ? latin : slugInOwnScript(name, language) || latin;
}

/**
 * The name is converted to lower case first, because slugify converts the Latin text, where Turkish makes a dotless i
 * of each I, and divides words at capital letters.
 */
function latinSlug(name: string, language: string): string {
  return slugify(name.toLocaleLowerCase(language), { locale: language }).slice(0, MAX_MADE_LENGTH);
}

/** Compatibility characters are normalized, so that a name in half-width letters has the slug of the usual ones. */
function slugInOwnScript(name: string, language: string): string {
  const lower = name.normalize('NFKC').toLocaleLowerCase(language).normalize('NFC');
  const slug = Array.from(lower.replace(NOT_IN_SLUG, '-')).slice(0, MAX_MADE_LENGTH).join('').replace(/^-|-$/g, '');
  return SLUG.test(slug) ? slug : '';
}

/** Whether the first slug is the second with a number of the service. A client may have sent it as it is. */
export function isNumberedSlug(numbered: string, slug: string): boolean {
  const base = numberableSlug(slug);
  return numbered.startsWith(`${base}-`) && /^(?:[2-9]|[1-9]\d+)$/.test(numbered.slice(base.length + 1));
}

/** The slug, shortened if a `-` and a number behind it would make it too long. */
export function numberableSlug(slug: string): string {
  return slug.length <= MAX_MADE_LENGTH ? slug : Array.from(slug).slice(0, MAX_MADE_LENGTH).join('');
}

type StoredTranslation = { locale: string; slug?: string | null };
type Slugs = { slug?: string | undefined; translations?: StoredTranslation[] | null };

/** What is wrong with the sent slugs. Those that are stored already may be sent back, whatever they are. */
export function slugIssues(sent: Partial<HTMLMetaDataInput>, stored: Slugs | undefined, path: InputPath): Issue[] {
  const translations = objectsOf<StoredTranslation>(stored?.translations);
  const known = new Map(translations.map(({ locale, slug }) => [locale, slug]));
  const issues = (sent.translations ?? []).map(({ locale, slug }, index) =>
    slug && slug !== known.get(locale) && !SLUG.test(slug)
      ? [{ path: [...path, 'translations', index, 'slug'], message: RULE }]
      : [],
  );
  const isRefused = sent.slug !== undefined && sent.slug !== stored?.slug && !SLUG.test(sent.slug);
  return [...(isRefused ? [{ path: [...path, 'slug'], message: RULE }] : []), ...issues.flat()];
}

export type SavedRow = StoredRow<typeof pageMetadata>;
type RowsByTarget = ReadonlyMap<string, SavedRow>;

/**
 * A record whose stored slug is the sent one with a number keeps it while another record has the sent slug. A slug that a
 * row of the request gives up is free, for one row. A row that keeps its number does not give it up.
 */
export async function keepNumberedSlugs(ctx: Context, rows: SavedRow[], stored: RowsByTarget): Promise<SavedRow[]> {
  const numbered = new Set(rows.filter((row) => isNumbered(row, stored)));
  if (numbered.size === 0) return rows;
  const wanting = Map.groupBy(numbered, ({ slug }) => slug);
  const wantedByOthers = new Set(rows.flatMap((row) => (numbered.has(row) ? [] : [row.slug])));
  const taken = await takenSlugs(ctx, [...wanting.keys()]);
  for (const { slug } of givenUp(rows, stored)) taken.delete(slug);
  const keeping = new Set(
    [...wanting].flatMap(([slug, own]) => (taken.has(slug) || wantedByOthers.has(slug) ? own : own.slice(1))),
  );
  // The loop also visits the rows that it adds.
  for (const { targetId } of keeping) for (const row of wanting.get(stored.get(targetId)!.slug) ?? []) keeping.add(row);
  return rows.map((row) => (keeping.has(row) ? { ...row, slug: stored.get(row.targetId)!.slug } : row));
}

/** Whether the stored slug is the sent one with a number. One of more than 247 characters would be a number of itself. */
function isNumbered({ targetId, slug }: SavedRow, stored: RowsByTarget): boolean {
  const own = stored.get(targetId)?.slug ?? slug;
  return own !== slug && isNumberedSlug(own, slug);
}

async function takenSlugs(ctx: Context, slugs: string[]): Promise<Set<string>> {
  const rows = await ctx.db
    .select({ slug: pageMetadata.slug })
    .from(pageMetadata)
    .where(and(ownedBy(ctx, pageMetadata), sql`${pageMetadata.slug} = any(${textArray(slugs)})`));
  return new Set(rows.map(({ slug }) => slug));
}

/**
 * The step that replaces each slug that another row wants by a temporary one. Without it records could not swap their
 * slugs, because the unique index is checked for each row when it is written. No slug that may be sent has a colon.
 */
export function releasedSlugs(ctx: Context, rows: SavedRow[], stored: RowsByTarget): PipelineStep<void>[] {
  const wanted = new Set(rows.map(({ slug }) => slug));
  const released = givenUp(rows, stored).filter(({ slug }) => wanted.has(slug));
  return update(
    ctx,
    pageMetadata,
    released.map(({ id }) => ({ id, slug: `released:${id}` })),
  );
}

/** The stored rows that get another slug. */
function givenUp(rows: SavedRow[], stored: RowsByTarget): SavedRow[] {
  return rows.flatMap(({ targetId, slug }) => {
    const row = stored.get(targetId);
    return row && row.slug !== slug ? [row] : [];
  });
}
