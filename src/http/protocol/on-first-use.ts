/**
 * Returns a function that calls `make` when the result is first needed, and keeps the result. Callers that come
 * meanwhile wait for the same call. After a failure, the next caller calls it again.
 */
export function onFirstUse<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}
