import type { FastifyReply, FastifyRequest } from 'fastify';
import { compress, type ContentCoding } from './content-coding.ts';
import { preferredCoding } from './content-negotiation.ts';
import { contentEtag, matchesEtag } from './etag.ts';

/**
 * A `cache-control` with which caches ask each time, with the entity tag, whether a new release has changed the
 * content.
 */
export const REVALIDATED = 'public, no-cache';

/** A route that also answers HEAD, as checkers of links send it. */
export const WITH_HEAD = { exposeHeadRoute: true } as const;

/** The bytes of a content in one coding. Each coding has its own entity tag. */
export type CodedBytes = { readonly bytes: Uint8Array; readonly etag: string };

type Sent = { coding: ContentCoding | null; type: string; cacheControl: string; vary?: string };

/**
 * A text that does not change, sent in the coding that the client prefers. A coding is made when it is first asked for.
 */
export class CodedContent {
  readonly #text: Buffer;
  readonly #type: string;
  readonly #coded = new Map<ContentCoding | null, CodedBytes>();

  constructor(text: string, type: string) {
    this.#text = Buffer.from(text);
    this.#type = type;
  }

  async send(request: FastifyRequest, reply: FastifyReply, cacheControl: string): Promise<FastifyReply> {
    const acceptEncoding = request.headers['accept-encoding'];
    // Commands without the header, such as `curl -o`, store the bytes as they come, so they get the text itself.
    const coding = acceptEncoding === undefined ? null : preferredCoding(acceptEncoding);
    return await sendCoded(request, reply, this.#encoded(coding), { coding, type: this.#type, cacheControl });
  }

  #encoded(coding: ContentCoding | null): CodedBytes {
    const known = this.#coded.get(coding);
    if (known) return known;
    const coded = codedBytes(coding ? compress(this.#text, coding) : this.#text);
    this.#coded.set(coding, coded);
    return coded;
  }
}

export function codedBytes(bytes: Uint8Array): CodedBytes {
  return { bytes, etag: contentEtag(bytes) };
}

/** Sends a content, or status 304 if the client has it already. */
export async function sendCoded(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag }: CodedBytes,
  { coding, type, cacheControl, vary = 'Accept-Encoding' }: Sent,
): Promise<FastifyReply> {
  reply.headers({ etag, 'cache-control': cacheControl, vary });
  if (matchesEtag(headers['if-none-match'], etag)) return await reply.code(304).send();
  if (coding) reply.header('content-encoding', coding);
  return await reply.type(type).send(bytes);
}
