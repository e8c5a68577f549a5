import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

export type RawResponse = { headers: IncomingHttpHeaders; body: Buffer };

/** A GET request with only these headers. fetch would add `accept-encoding`. */
export async function rawRequest(url: string, headers: Record<string, string>): Promise<RawResponse> {
  const request = http.get(url, { headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { headers: response.headers, body: await buffer(response) };
}
