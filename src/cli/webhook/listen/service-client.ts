import { type AppScope, isAppScope } from '../../../app-scope.ts';
import { CommandError } from '../../../process/command-error.ts';

const TOKEN_PATH = '/api/admin/oauth/token';
const GRAPHQL_PATH = '/api/v1/admin/graphql';
const TIMEOUT_MS = 30_000;
/** Statuses after which the same request may succeed. */
const TRANSIENT_STATUSES = [429, 502, 503, 504];

/** A failure that may pass: of the connection, or of a service that is busy or starting. */
export class Unavailable extends CommandError {
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs = 0) {
    super(message);
    this.name = 'Unavailable';
    this.retryAfterMs = retryAfterMs;
  }
}

type Options = {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signal: AbortSignal;
};
type Answer = { data?: unknown; errors?: { message: string; extensions?: { code?: string } }[] };
type Token = { access_token?: string; scope?: string; error_description?: string };

/** An app that uses the API as any other client does. */
export class ServiceClient {
  readonly #options: Options;
  #token: string | null = null;
  /** How much the clock of the service is ahead of this machine's. */
  #clockAheadMs = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** The time by the clock of the service. */
  nowMs(): number {
    return Date.now() + this.#clockAheadMs;
  }

  /** Gets a token. Returns the scopes of the app. */
  async signIn(): Promise<Set<AppScope>> {
    const { clientId, clientSecret } = this.#options;
    const grant = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const response = await this.#send(TOKEN_PATH, { body: new URLSearchParams(grant) });
    const { access_token: token, scope = '', error_description: reason } = await this.#json<Token>(response);
    if (token === undefined) throw new CommandError(`No token: ${reason ?? `status ${response.status}`}`);
    this.#token = token;
    return new Set(scope.split(/[ ,]/).filter(isAppScope));
  }

  /** The data of an operation. A token that has ended is replaced once. */
  async query<Data>(query: string, variables: object): Promise<Data> {
    for (const isLast of [false, true]) {
      if (this.#token === null) await this.signIn();
      const response = await this.#send(GRAPHQL_PATH, {
        headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      });
      const { data, errors } = await this.#json<Answer>(response);
      if (errors?.[0]?.extensions?.code === 'LOGIN_REQUIRED' && !isLast) this.#token = null;
      else if (errors?.[0]) throw new CommandError(errors.map(({ message }) => message).join('\n'));
      else if (data) return data as Data;
      else break;
    }
    throw new CommandError(`${this.#options.url} does not answer as this service does.`);
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const { url, signal } = this.#options;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const response = await fetch(`${url}${path}`, { method: 'POST', signal: limited, ...init }).catch(
      (error: unknown) => {
        throw new Unavailable(`${url} cannot be reached: ${reasonOf(error)}`);
      },
    );
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date)) this.#clockAheadMs = date - Date.now();
    if (!TRANSIENT_STATUSES.includes(response.status)) return response;
    await response.body?.cancel();
    const waitS = Number(response.headers.get('retry-after') ?? 0);
    throw new Unavailable(`${url} answers ${response.status}.`, Number.isNaN(waitS) ? 0 : waitS * 1_000);
  }

  async #json<Value>(response: Response): Promise<Value> {
    const { url } = this.#options;
    try {
      return (await response.json()) as Value;
    } catch {
      throw new CommandError(`${url} does not answer as this service does: status ${response.status} without JSON.`);
    }
  }
}

/** `fetch` says why in the cause of its error. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  const { code, message: reason } = (cause ?? {}) as { code?: string; message?: string };
  return code ?? reason ?? message;
}
