import { type SQL, sql } from 'drizzle-orm';
import { merchant } from '../../drizzle/merchant.ts';
import type { MerchantContext } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import { MAX_LOCALE_LENGTH } from '../field-input.ts';

/** The languages of regions that have one. Others, and merchants without a region, use English. */
const LANGUAGE_BY_REGION = { PL: 'pl', TR: 'tr' };
const DEFAULT_LANGUAGE = 'en';

/** The merchant's own language, or that of its region, as a BCP 47 tag. */
export function languageOf(row: typeof merchant): SQL<string> {
  const cases = Object.entries(LANGUAGE_BY_REGION).map(([region, language]) =>
    sql.raw(`when '${region}' then '${language}'`),
  );
  return sql`coalesce(${row.language}, case ${row.region} ${sql.join(cases, sql` `)} else ${sql.raw(`'${DEFAULT_LANGUAGE}'`)} end)`;
}

/** Plain SQL can store a text that has the form of a language tag and is none, such as `abcd`: it counts as `en`. */
export function validLanguage(language: string): string {
  return isLanguageTag(language) ? language : DEFAULT_LANGUAGE;
}

export function isLanguageTag(text: string): boolean {
  try {
    return text.length <= MAX_LOCALE_LENGTH && Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

/** The merchant's language, for commands: the session of a request has it. */
export async function storedLanguage(ctx: MerchantContext): Promise<string> {
  const [row] = await readRows(
    ctx,
    { language: column.text },
    sql`select ${languageOf(merchant)} as "language" from ${merchant} where ${ownedBy(ctx, merchant)}`,
  );
  return validLanguage(row?.language ?? DEFAULT_LANGUAGE);
}
