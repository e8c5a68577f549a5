export const jsonMediaType = 'application/json';
export const graphqlMediaType = 'application/graphql-response+json';

export type ResponseMediaType = typeof jsonMediaType | typeof graphqlMediaType;

type Range = { type: string; quality: number };

/**
 * What the client wants to read: the acceptable type it likes best, the first of equals, null when it takes neither.
 */
export function responseMediaType(accept: string | undefined): ResponseMediaType | null {
  if (accept === undefined || accept === '*/*' || accept === jsonMediaType) return jsonMediaType;
  let best: { type: ResponseMediaType; quality: number } | null = null;
  for (const { type, quality } of ranges(accept)) {
    const offered = offer(type);
    if (offered && quality > (best?.quality ?? 0)) best = { type: offered, quality };
  }
  return best?.type ?? null;
}

/** Whether the client accepts HTML, as a browser does that opens the address. */
export function acceptsHtml(accept: string | undefined): boolean {
  return accept !== undefined && ranges(accept).some(({ type, quality }) => type === 'text/html' && quality > 0);
}

/** The entries of an Accept or Accept-Encoding header. */
export function ranges(accept: string): Range[] {
  return accept
    .toLowerCase()
    .split(',')
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((word) => word.trim());
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return { type, quality: quality ? Number(quality.slice(2)) || 0 : 1 };
    });
}

function offer(type: string): ResponseMediaType | null {
  if (type === graphqlMediaType) return graphqlMediaType;
  return type === jsonMediaType || type === 'application/*' || type === '*/*' ? jsonMediaType : null;
}
