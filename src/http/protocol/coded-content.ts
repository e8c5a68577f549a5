import type { FastifyReply, FastifyRequest } from 'fastify';
import { compress, type ContentCoding } from './content-coding.ts';
import { preferredCoding } from './content-negotiation.ts';
import { contentEtag, matchesEtag } from './etag.ts';

type Coded = { readonly bytes: Uint8Array; readonly etag: string };

/** A text that does not change. Each coding is made when it is first asked for, and has an entity tag of its own. */
export class CodedContent {
  readonly #text: Buffer;
  readonly #type: string;
  readonly #coded = new Map<ContentCoding | null, Coded>();

  constructor(text: string, type: string) {
    this.#text = Buffer.from(text);
    this.#type = type;
  }

  async send({ headers }: FastifyRequest, reply: FastifyReply, cacheControl: string): Promise<FastifyReply> {
    const { 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = headers;
    // Without the header, commands such as `curl -o` store what they get.
    const coding = acceptEncoding === undefined ? null : preferredCoding(acceptEncoding);
    const { bytes, etag } = this.#encoded(coding);
    reply.headers({ etag, 'cache-control': cacheControl, vary: 'Accept-Encoding' });
    if (matchesEtag(ifNoneMatch, etag)) return await reply.code(304).send();
    if (coding) reply.header('content-encoding', coding);
    return await reply.type(this.#type).send(bytes);
  }

  #encoded(coding: ContentCoding | null): Coded {
    const known = this.#coded.get(coding);
    if (known) return known;
    const bytes = coding ? compress(this.#text, coding) : this.#text;
    const coded = { bytes, etag: contentEtag(bytes) };
    this.#coded.set(coding, coded);
    return coded;
  }
}
