/**
 * The order of a list of which only a part was sent: sent entries in the order they were sent, in the places of the
 * stored entries that were sent; other stored entries stay where they are. If all were sent, it is the sent order.
 */
export function inStoredOrder(stored: Iterable<string>, sent: Iterable<string>): string[] {
  const [storedKeys, sentKeys] = [new Set(stored), new Set(sent)];
  const queue = [...sentKeys].values();
  const ordered: string[] = [];
  for (const key of storedKeys) {
    if (!sentKeys.has(key)) ordered.push(key);
    else ordered.push(...throughNext(queue, storedKeys));
  }
  return [...ordered, ...queue];
}

/** The new entries in front of the next stored one, and that one. */
function throughNext(queue: Iterator<string>, storedKeys: ReadonlySet<string>): string[] {
  const taken: string[] = [];
  for (let next = queue.next(); !next.done; next = queue.next()) {
    taken.push(next.value);
    if (storedKeys.has(next.value)) break;
  }
  return taken;
}
