/** Distinct statement texts that are prepared by name at a time; each costs memory on every connection. */
const MAX_PREPARED_TEXTS = 1_000;
/** Texts seen once, among which a second sight is looked for. */
const MAX_SEEN_TEXTS = 5_000;
/** A connection lives no longer, so that what it has prepared is gone with it. */
export const CONNECTION_LIFETIME_S = 1_800;

const UNPREPARED = ' /* planned for its values */';

/** Marks a text that has ids in it: there are as many such texts as ids, and each prepared one takes 0.3 MB on each connection. */
export function unprepared(text: string): string {
  return text + UNPREPARED;
}

/**
 * Tells which statements are prepared by name: those that come a second time, up to a bound. Callers
 * who send ever new documents take no place from those who repeat theirs, and the places are given
 * anew as often as connections are.
 */
export function preparedStatements(now: () => number = Date.now): (text: string) => boolean {
  const prepared = new Set<string>();
  const seen = new Set<string>();
  let since = now();
  return (text) => {
    if (text.endsWith(UNPREPARED)) return false;
    if (now() - since > CONNECTION_LIFETIME_S * 1_000) {
      prepared.clear();
      since = now();
    }
    if (prepared.has(text)) return true;
    if (!seen.delete(text)) {
      if (seen.size >= MAX_SEEN_TEXTS) seen.clear();
      seen.add(text);
      return false;
    }
    if (prepared.size < MAX_PREPARED_TEXTS) prepared.add(text);
    return prepared.has(text);
  };
}
