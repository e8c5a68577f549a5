/** Runs `work` after all earlier work with the same key. */
export type KeyedMutex = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/**
 * Serializes repeats of a request within this process. In the database each of them would hold a connection while it
 * waits for the first. Correctness does not depend on it.
 */
export function createKeyedMutex(): KeyedMutex {
  const lastByKey = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const current = (lastByKey.get(key) ?? Promise.resolve()).then(work, work);
    lastByKey.set(key, current);
    try {
      return await current;
    } finally {
      if (lastByKey.get(key) === current) lastByKey.delete(key);
    }
  };
}
