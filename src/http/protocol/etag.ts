/** Whether If-None-Match names the entity tag. RFC 9110, 13.1.2: any of a list, compared weakly. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  return (
    ifNoneMatch !== undefined &&
    ifNoneMatch.split(',').some((entry) => ['*', etag].includes(entry.trim().replace(/^W\//, '')))
  );
}
