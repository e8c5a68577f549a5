import { PgDialect } from 'drizzle-orm/pg-core';

/**
 * Limit of the characters of all statements that are prepared by name. Clients choose the texts, by the fields of their
 * documents and the order of these. A prepared statement with its generic plan takes 90 bytes of memory per character, on
 * every connection: up to 190 MB for all of them. One document for each operation, with all fields, comes to 290,000 characters.
 */
export const MAX_PREPARED_CHARACTERS = 2 * 1024 * 1024;
/** Limit of the texts that are remembered after their first use. The second use prepares the statement. */
const MAX_SEEN_CHARACTERS = 32 * 1024 * 1024;
/** Maximum age of a connection, which bounds the memory of its prepared statements. */
export const CONNECTION_LIFETIME_S = 1_800;

/** The service has fewer texts. The limit bounds the memory if callers could choose the members of rows. */
const MAX_TEXTS = 1_000;

const UNPREPARED = ' /* planned for its values */';

/**
 * Marks a text with literal ids, which is never prepared: there are as many texts as ids, and each prepared one takes
 * 0.3 MB per connection.
 */
export function unprepared(text: string): string {
  return text + UNPREPARED;
}

/**
 * Decides which statements are prepared by name: those seen a second time, up to a limit. Texts that never repeat take
 * nothing of it. The texts that a merchant was the first to repeat take at most as much as they leave free: one merchant
 * alone gets half of the limit, and there is room for those of another. After CONNECTION_LIFETIME_S all texts are
 * forgotten. Each connection is replaced within this time, so it has the statements of two such periods at most.
 */
export function preparedStatements(
  now = (): number => performance.now(),
): (text: string, merchantId: string) => boolean {
  const prepared = new Set<string>();
  /** For each merchant, the characters of the prepared texts that it was the first to repeat. */
  const preparedBy = new Map<string, number>();
  const seen = new Set<string>();
  let freeCharacters = MAX_PREPARED_CHARACTERS;
  let seenCharacters = 0;
  let since = now();
  return (text, merchantId) => {
    if (text.endsWith(UNPREPARED)) return false;
    if (now() - since > CONNECTION_LIFETIME_S * 1_000) {
      prepared.clear();
      preparedBy.clear();
      freeCharacters = MAX_PREPARED_CHARACTERS;
      since = now();
    }
    if (prepared.has(text)) return true;
    if (!seen.delete(text)) {
      if (seenCharacters + text.length > MAX_SEEN_CHARACTERS) {
        seen.clear();
        seenCharacters = 0;
      }
      seen.add(text);
      seenCharacters += text.length;
      return false;
    }
    seenCharacters -= text.length;
    const own = (preparedBy.get(merchantId) ?? 0) + text.length;
    const free = freeCharacters - text.length;
    if (own > free) return false;
    prepared.add(text);
    preparedBy.set(merchantId, own);
    freeCharacters = free;
    return true;
  };
}

/** What is compiled once per pool: the texts of statements by their names, and selections as SQL. */
export class StatementCache {
  readonly #texts = new Map<string, TemplateStringsArray>();
  readonly #selections = new WeakMap<object, Map<object, unknown>>();

  /** A text, divided at its parameters as `sql` takes it. */
  text(name: string, make: () => TemplateStringsArray): TemplateStringsArray {
    const known = this.#texts.get(name);
    if (known) return known;
    const made = make();
    if (this.#texts.size >= MAX_TEXTS) this.#texts.clear();
    this.#texts.set(name, made);
    return made;
  }

  /** A selection as SQL of a projection. It is kept as long as the selection. */
  selection<Compiled>(selection: object, projection: object, compile: () => Compiled): Compiled {
    const known = this.#selections.get(selection) ?? new Map<object, unknown>();
    const found = known.get(projection) ?? compile();
    this.#selections.set(selection, known.set(projection, found));
    return found as Compiled;
  }
}

/** The dialect of one connection pool, with the cache of the SQL texts that were compiled for the pool. */
export class PoolDialect extends PgDialect {
  readonly statements = new StatementCache();
}
