import { invalidAt, type Issue } from '../errors.ts';
import { checkEndpoint } from '../outbound/endpoint.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { request } from '../outbound/request.ts';
import { MAX_IMAGE_BYTES } from './decode.ts';

const TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 3;

/** Fetches the bytes of a URL. `decodeImage` detects the format; the content type of the response is ignored. */
export async function fetchImage(outbound: Outbound, url: string, path: Issue['path']): Promise<Buffer> {
  const problem = checkEndpoint(url, outbound.policy);
  if (problem !== null) {
    throw invalidAt(path, problem);
  }
  const limits = { timeoutMs: TIMEOUT_MS, maxBodyBytes: MAX_IMAGE_BYTES, maxRedirects: MAX_REDIRECTS } as const;
  const answer = await request(outbound, { url, ...limits });
  const failure = answer.ok ? answer.truncated : answer.failure;
  if (failure === 'too large') {
    throw invalidAt(path, 'must be at most 20 MB');
  }
  if (!answer.ok || failure !== null) {
    throw invalidAt(path, `could not be fetched: ${failure}`);
  }
  if (answer.statusCode !== 200) {
    throw invalidAt(path, `could not be fetched: status ${answer.statusCode}`);
  }
  return answer.body;
}
