import { openOutbound } from '../../../outbound/outbound.ts';
import { signedEnvelope } from '../../../webhook/sending/envelope.ts';
import { push } from '../../../webhook/sending/push.ts';
import { signatureHeaders } from '../../../webhook/sending/signature.ts';
import { storedResponse } from '../../../webhook/sending/stored-response.ts';
import { printJson, printRaw } from '../../command-line/output.ts';
import { isJson, oneLine, type OutputOptions, timeCell } from '../../command-line/table.ts';
import { LOCALHOST_ADDRESSES } from './loopback.ts';
import type { ListedEvent } from './new-events.ts';

type Options = { readonly endpoint: string; readonly clientSecret: string; readonly signal: AbortSignal };
type Forwarded = Omit<ListedEvent, 'body'> & {
  statusCode: number | null;
  error: string | null;
  durationMs: number;
  responseBody: string | null;
};

/** Sends events to one receiver as the worker sends pushes: with the same body, headers, signature and time limits. */
export class Forwarder {
  readonly #options: Options;
  readonly #outbound = openOutbound({ allowHttp: true, allowPrivate: true }, () =>
    Promise.resolve(LOCALHOST_ADDRESSES),
  );

  constructor(options: Options) {
    this.#options = options;
  }

  /** Makes one request and prints the answer of the receiver. */
  async forward({ body: members, ...event }: ListedEvent, output: OutputOptions): Promise<void> {
    const { endpoint, clientSecret, signal } = this.#options;
    const body = signedEnvelope(JSON.parse(members) as { data: string }, clientSecret);
    const headers = { ...signatureHeaders(event.id, new Date(), body, [clientSecret]) };
    const sent = await push(this.#outbound, { endpoint, body, headers, signal });
    if (signal.aborted) return;
    const { delivered, statusCode, error, response, durationMs } = sent;
    const responseBody = response === null ? null : (storedResponse(response).responseBody ?? null);
    const reason = delivered ? null : (error ?? `status ${statusCode}`);
    const forwarded = { ...event, statusCode, error: reason, durationMs, responseBody };
    if (isJson(output)) printJson(forwarded);
    else printRaw(line(forwarded));
  }

  close(): void {
    this.#outbound.close();
  }
}

function line({ createdAt, scope, recordId, error, statusCode, durationMs, responseBody }: Forwarded): string {
  const answered = error === null ? `status ${statusCode}` : `FAILED: ${error}`;
  const reason = error === null || responseBody === null ? '' : `: ${oneLine(responseBody.replaceAll(/\s+/g, ' '))}`;
  return `${timeCell(createdAt)} ${scope} ${recordId}  ${answered} after ${durationMs} ms${reason}`;
}
