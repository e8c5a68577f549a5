import { type SQL, sql } from 'drizzle-orm';
import { isId } from './id.ts';

/** A list as one parameter, so that its length does not change the statement's text. What is no id matches nothing. */
export function idList(ids: readonly string[]): SQL {
  return sql`${`{${ids.filter(isId).join(',')}}`}::uuid[]`;
}

export function textList(texts: readonly string[]): SQL {
  return sql`${`{${texts.map(quoteElement).join(',')}}`}::text[]`;
}

function quoteElement(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
