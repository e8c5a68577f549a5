import { connect } from 'node:net';
import { type FuzzRequest, TOKEN_MARKS } from './requests.ts';

const ANSWER_MAX_MS = 30_000;

export type FuzzAnswer = { status: number; contentType: string; text: string };

/** The service, and the replacements for the placeholders in requests. */
export type Target = {
  url: string;
  tokens: Record<keyof typeof TOKEN_MARKS, string>;
  ids: ReadonlyMap<string, string>;
};

/** The answer; null if the service closed the connection without one, as it may after bytes that are not HTTP. */
export async function send(target: Target, request: FuzzRequest): Promise<FuzzAnswer | null> {
  if (request.raw) return await sendBytes(target.url, filled(target, request.raw));
  const { method, path, headers, body } = request;
  const mayHaveBody = !['GET', 'HEAD'].includes(method);
  const response = await fetch(`${target.url}${filledText(target, path)}`, {
    method,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filledText(target, value)])),
    ...(mayHaveBody && body && { body: new Uint8Array(filled(target, body)) }),
    signal: AbortSignal.timeout(ANSWER_MAX_MS),
  });
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    text: await response.text(),
  };
}

async function sendBytes(url: string, bytes: Buffer): Promise<FuzzAnswer | null> {
  const { hostname, port } = new URL(url);
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const timer = setTimeout(() => socket.destroy(new Error(`no answer in ${ANSWER_MAX_MS} ms`)), ANSWER_MAX_MS);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      ['ECONNRESET', 'EPIPE'].includes(error.code ?? '') ? resolve() : reject(error),
    );
    socket.once('end', () => socket.end()).once('close', () => resolve(clearTimeout(timer)));
    // Ends the sending side, so that the service does not wait for the rest of an incomplete request.
    socket.end(bytes);
  });
  const text = Buffer.concat(chunks).toString();
  // The bytes may contain several requests: the worst answer counts.
  const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
  const [, contentType = ''] = /^content-type: (.*)$/im.exec(text) ?? [];
  return statuses.length === 0 ? null : { status: Math.max(...statuses), contentType, text };
}

function filled(target: Target, bytes: Buffer): Buffer {
  return Buffer.from(filledText(target, bytes.toString('latin1')), 'latin1');
}

function filledText({ tokens, ids }: Target, text: string): string {
  let result = text.replaceAll(TOKEN_MARKS.full, tokens.full).replaceAll(TOKEN_MARKS.narrowed, tokens.narrowed);
  for (const [mark, id] of ids) result = result.replaceAll(mark, id);
  return result;
}
