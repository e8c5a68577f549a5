import { resolve } from 'node:path';
import type { IssuedToken } from '../app/credentials/issue-token.ts';
import { silentCommand } from '../installation/own-command.ts';

const GRAPHQL_PATH = '/api/v1/admin/graphql';
const QUERY = '{ me { name scopes } getMerchant { storeName } listSalesChannel { name type } }';

/** `token` is null if the demo app was revoked. */
type BannerContent = { url: string; dataDir: string; token: IssuedToken | null };

/** The first output for a new user: addresses, how to get a token, and a command to try. */
export function startupBanner({ url, dataDir, token }: BannerContent): string {
  const endpoint = `${url}${GRAPHQL_PATH}`;
  return `
Commerce administration is ready.

  GraphQL    ${endpoint} (in a browser: GraphiQL)
  Console    ${url}/console (${silentCommand('console')} prints a link that signs in)
  Docs       ${url}/docs
  Tokens     ${url}/api/admin/oauth/token
  Database   embedded PostgreSQL, kept in ${dataDir}
${token ? demo(endpoint, dataDir, token) : ''}
Ctrl-C stops it, the database too.
`;
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
