/**
 * Limit of the characters of all statements that are prepared by name. Clients choose the texts, by the fields of their
 * documents and the order of these. With its generic plan a text takes 90 bytes per character on every connection, so all
 * take 190 MB. One document for each operation, with all fields, comes to 290,000 characters.
 */
export const MAX_PREPARED_CHARACTERS = 2 * 1024 * 1024;
/** Limit of the texts that are remembered after their first use. The second use prepares the statement. */
const MAX_SEEN_CHARACTERS = 32 * 1024 * 1024;
/** Maximum age of a connection, which bounds the memory of its prepared statements. */
export const CONNECTION_LIFETIME_S = 1_800;

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
 * alone gets half of the limit, and there is room for those of another. All starts again at the interval at which
 * connections are replaced, so that a connection has the texts of two intervals at most.
 */
export function preparedStatements(now: () => number = Date.now): (text: string, merchantId: string) => boolean {
  const prepared = new Set<string>();
  /** Characters of the prepared texts by merchant. */
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
