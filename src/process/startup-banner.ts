import { resolve } from 'node:path';
import type { IssuedToken } from '../app/credentials/issue-token.ts';
import { silentCommand } from '../installation/own-command.ts';

const GRAPHQL_PATH = '/api/v1/admin/graphql';
const QUERY = '{ me { name scopes } getMerchant { storeName } listSalesChannel { name type } }';

/** `databaseUrl` is null for the embedded database. `token` is null if the demo app was revoked, and without one. */
type BannerContent = {
  url: string;
  role: 'api' | 'worker' | 'all';
  dataDir: string;
  databaseUrl: string | null;
  token: IssuedToken | null;
};

/** The first output for a new user: addresses, how to get a token, and a command to try. */
export function startupBanner({ url, role, dataDir, databaseUrl, token }: BannerContent): string {
  const database =
    databaseUrl === null ? `embedded PostgreSQL, kept in ${dataDir}` : `PostgreSQL at ${addressOf(databaseUrl)}`;
  const end = databaseUrl === null ? 'Ctrl-C stops it, the database too.' : 'Ctrl-C stops it. The database goes on.';
  return `
Commerce administration is ready.

${role === 'worker' ? `  Worker     ${url}/healthz and ${url}/metrics` : addresses(url)}
  Database   ${database}
${token ? demo(`${url}${GRAPHQL_PATH}`, dataDir, token) : firstToken(databaseUrl)}
${end}
`;
}

/** Host, port and database, without the role and its password. */
function addressOf(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
}

/** With a database of one's own there is no demo app. */
function firstToken(databaseUrl: string | null): string {
  if (databaseUrl === null) return '';
  return `
A token of an app, whose client secret is printed when it is created:

  ${silentCommand('merchant create')}   # if there is none yet
  ${silentCommand('app create')}
  read -rs CLIENT_SECRET; export CLIENT_SECRET   # type it: neither a history nor a list of processes shows it
  ${silentCommand('token --client-id ID')}
`;
}

function addresses(url: string): string {
  return `  GraphQL    ${url}${GRAPHQL_PATH} (in a browser: GraphiQL)
  Console    ${url}/console (${silentCommand('console')} prints a link that signs in)
  Docs       ${url}/docs
  Tokens     ${url}/api/admin/oauth/token`;
}

function demo(endpoint: string, dataDir: string, { accessToken, expiresInS }: IssuedToken): string {
  const elsewhere = dataDir === resolve('.data') ? '' : `DATA_DIR=${quoted(dataDir)} `;
  return `
Another token for the demo app, good for ${expiresInS / 3_600} hours:

  ${elsewhere}${silentCommand('token')}

Try it in a browser, with the token filled in, or by a command:

  ${endpoint}#token=${accessToken}

  curl -s ${endpoint} -H 'Authorization: Bearer ${accessToken}' -H 'Content-Type: application/json' -d '${JSON.stringify({ query: QUERY })}'
`;
}

/** Quotes a text for the shell if needed. */
function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
