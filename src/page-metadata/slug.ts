import slugify from '@sindresorhus/slugify';
import { objectsOf } from '../db/read/stored-list.ts';
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
