import { signal } from './signal.ts';

const TOKEN_PATH = '/api/admin/oauth/token';
const STORAGE_KEY = 'commerce-console';

export type Session = { readonly token: string; readonly scopes: readonly string[]; readonly expiresAt: number };

/** The session of this browser tab; null while nobody is signed in. A duplicate of the tab has it too. */
export const session = signal<Session | null>(null);

type TokenResponse = { access_token?: string; scope?: string; expires_in?: number; error_description?: string };

/** Signs in with the code in the address, or else with the token that this tab has stored. */
export async function startSession(): Promise<void> {
  const code = codeOfAddress();
  // A link that is opened where the console is open already changes only the part behind #, which loads nothing.
  addEventListener('hashchange', () => {
    if (codeOfAddress() !== null) location.reload();
  });
  if (code === null) {
    session.value = storedSession();
    return;
  }
  // Before the exchange, so that the code does not stay in the history of the browser even if the exchange fails.
  history.replaceState(null, '', location.pathname);
  sessionStorage.removeItem(STORAGE_KEY);
  session.value = await exchange(code);
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(session.value));
}

export function endSession(): void {
  sessionStorage.removeItem(STORAGE_KEY);
  session.value = null;
}

/** A write scope includes its read scope. */
export function hasScope(name: string): boolean {
  const scopes = session.value?.scopes ?? [];
  return scopes.includes(name) || (name.startsWith('read_') && scopes.includes(name.replace('read_', 'write_')));
}

function codeOfAddress(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get('code');
}

async function exchange(code: string): Promise<Session> {
  const body = new URLSearchParams({ grant_type: 'authorization_code', code });
  const response = await fetch(TOKEN_PATH, { method: 'POST', body });
  const {
    access_token: token,
    scope = '',
    expires_in: expiresInS = 0,
    error_description: problem,
  } = (await response.json()) as TokenResponse;
  if (!token) throw new Error(problem ?? `The service answered ${response.status}.`);
  return { token, scopes: scope.split(','), expiresAt: Date.now() + expiresInS * 1_000 };
}

function storedSession(): Session | null {
  const stored = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as Session | null;
  return stored && stored.expiresAt > Date.now() ? stored : null;
}
