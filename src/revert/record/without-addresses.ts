/**
 * The value of a member as others may see it: a list of pictures without the addresses from which they were fetched, as
 * without_source_urls.sql. `path` is that of the member in its row or in its record.
 */
export function withoutAddresses(path: string, value: unknown): unknown {
  if (!/(^|\.)images$/.test(path) || !Array.isArray(value)) return value;
  return value.map((image: unknown) => {
    if (typeof image !== 'object' || image === null) return image;
    return Object.fromEntries(Object.entries(image).filter(([member]) => member !== 'sourceUrl'));
  });
}
