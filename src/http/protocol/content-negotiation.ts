import Negotiator from 'negotiator';
import { type ContentCoding, contentCodings } from './content-coding.ts';

export const jsonMediaType = 'application/json';
export const graphqlMediaType = 'application/graphql-response+json';

export type ResponseMediaType = typeof jsonMediaType | typeof graphqlMediaType;

/** The first is chosen for ranges that match both. */
const RESPONSE_MEDIA_TYPES: ResponseMediaType[] = [jsonMediaType, graphqlMediaType];
/** Parameters of a media range but for its quality. They would have to match: `charset=utf-8` is common. */
const PARAMETERS = /;(?!\s*q\s*=)[^,;]*/gi;

/** The acceptable media type that the client prefers, or null if it accepts none. */
export function responseMediaType(accept: string | undefined): ResponseMediaType | null {
  if (accept === undefined || accept === '*/*' || accept === jsonMediaType) return jsonMediaType;
  return (negotiate(accept).mediaType(RESPONSE_MEDIA_TYPES) as ResponseMediaType | undefined) ?? null;
}

/** Whether the client names HTML and prefers no JSON to it, as a browser does that opens the address. */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const offered = negotiate(accept);
  return (
    offered.mediaTypes().includes('text/html') &&
    offered.mediaType(['text/html', ...RESPONSE_MEDIA_TYPES]) === 'text/html'
  );
}

/** The smallest content coding that the client accepts: gzip without the header, null if it accepts none. */
export function preferredCoding(acceptEncoding: string | undefined): ContentCoding | null {
  if (acceptEncoding === undefined) return 'gzip';
  const accepted = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } }).encodings([...contentCodings]);
  return contentCodings.find((coding) => accepted.includes(coding)) ?? null;
}

function negotiate(accept: string): Negotiator {
  return new Negotiator({ headers: { accept: accept.toLowerCase().replace(PARAMETERS, '') } });
}
