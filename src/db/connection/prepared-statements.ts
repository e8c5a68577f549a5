/** Limit of named prepared statements. Each uses memory on every connection. */
const MAX_PREPARED_TEXTS = 1_000;
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
 * Decides which statements are prepared by name: those seen a second time, up to a limit. Texts that never repeat
 * take no slot. The slots are reset at the interval at which connections are replaced.
 */
export function preparedStatements(now: () => number = Date.now): (text: string) => boolean {
  const prepared = new Set<string>();
  const seen = new Set<string>();
  let seenCharacters = 0;
  let since = now();
  return (text) => {
    if (text.endsWith(UNPREPARED)) return false;
    if (now() - since > CONNECTION_LIFETIME_S * 1_000) {
      prepared.clear();
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
    if (prepared.size < MAX_PREPARED_TEXTS) prepared.add(text);
    return prepared.has(text);
  };
}
