import { type AppScope, isAppScope } from '../../../app-scope.ts';
import { openOutbound } from '../../../outbound/outbound.ts';
import { type OutboundResponse, request } from '../../../outbound/request.ts';
import { CommandError } from '../../../process/command-error.ts';

const TOKEN_PATH = '/api/admin/oauth/token';
const GRAPHQL_PATH = '/api/v1/admin/graphql';
const TIMEOUT_MS = 30_000;
/** Several times the bytes of a page of events. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** Statuses after which the same request may succeed. */
const TRANSIENT_STATUSES = [429, 502, 503, 504];

/** A failure that may pass: of the connection, or of a service that is busy or starting. */
export class Unavailable extends CommandError {
  readonly retryAfterMs: number;
  override readonly name = 'Unavailable';

  constructor(message: string, retryAfterMs = 0) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

type Options = {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signal: AbortSignal;
};
type Response = Pick<OutboundResponse, 'statusCode' | 'headers' | 'body'>;
type Answer = { data?: unknown; errors?: { message: string; extensions?: { code?: string } }[] };
type Token = { access_token?: string; scope?: string; error_description?: string };

/** An app that uses the API as any other client does. */
export class ServiceClient {
  readonly #options: Options;
  /** The operator chooses the address, so that it may be of any network. */
  readonly #outbound = openOutbound({ allowHttp: true, allowPrivate: true });
  #token: string | null = null;
  /** How much the clock of the service is ahead of this machine's. */
  #clockAheadMs = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  close(): void {
    this.#outbound.close();
  }

  /** The time by the clock of the service. */
  nowMs(): number {
    return Date.now() + this.#clockAheadMs;
  }

  /** Gets a token. Returns the scopes of the app. */
  async signIn(): Promise<Set<AppScope>> {
    const { clientId, clientSecret } = this.#options;
    const grant = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await this.#send(TOKEN_PATH, form, new URLSearchParams(grant).toString());
    const { access_token: token, scope = '', error_description: reason } = this.#json<Token>(response);
    if (token === undefined) throw new CommandError(`No token: ${reason ?? `status ${response.statusCode}`}`);
    this.#token = token;
    return new Set(scope.split(/[ ,]/).filter(isAppScope));
  }

  /** The data of an operation. A token that has ended is replaced once. */
  async query<Data>(query: string, variables: object): Promise<Data> {
    for (const isLast of [false, true]) {
      if (this.#token === null) await this.signIn();
      const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' };
      const response = await this.#send(GRAPHQL_PATH, headers, JSON.stringify({ query, variables }));
      const { data, errors } = this.#json<Answer>(response);
      if (errors?.[0]?.extensions?.code === 'LOGIN_REQUIRED' && !isLast) this.#token = null;
      else if (errors?.[0]) throw new CommandError(errors.map(({ message }) => message).join('\n'));
      else if (data) return data as Data;
      else break;
    }
    throw new CommandError(`${this.#options.url} does not answer as this service does.`);
  }

  async #send(path: string, headers: Record<string, string>, body: string): Promise<Response> {
    const { url, signal } = this.#options;
    const wanted = { url: `${url}${path}`, headers, body, timeoutMs: TIMEOUT_MS, maxBodyBytes: MAX_BODY_BYTES, signal };
    const response = await request(this.#outbound, wanted);
    if (!response.ok) throw new Unavailable(`${url} cannot be reached: ${response.failure}.`);
    const date = Date.parse(response.headers.date ?? '');
    if (!Number.isNaN(date)) this.#clockAheadMs = date - Date.now();
    if (response.truncated !== null)
      throw new Unavailable(`${url} has not answered completely: ${response.truncated}.`);
    if (!TRANSIENT_STATUSES.includes(response.statusCode)) return response;
    const waitS = Number(response.headers['retry-after'] ?? 0);
    throw new Unavailable(`${url} answers ${response.statusCode}.`, Number.isNaN(waitS) ? 0 : waitS * 1_000);
  }

  #json<Value>({ body, statusCode }: Response): Value {
    try {
      return JSON.parse(body.toString()) as Value;
    } catch {
      throw new CommandError(
        `${this.#options.url} does not answer as this service does: status ${statusCode}, no JSON.`,
      );
    }
  }
}
