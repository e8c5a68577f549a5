import { resolve } from 'node:path';
import type { IssuedToken } from './app/issue-token.ts';

const GRAPHQL_PATH = '/api/v1/admin/graphql';
const QUERY = '{ me { name scopes } getMerchant { storeName } listSalesChannel { name type } }';

/** `token` is null when the demo app was revoked. */
type BannerContent = { url: string; dataDir: string; token: IssuedToken | null };

/** What a first visitor wants to know: what runs, where, how to get a token, and one line to try. */
export function startupBanner({ url, dataDir, token }: BannerContent): string {
  const endpoint = `${url}${GRAPHQL_PATH}`;
  return `
Commerce administration is ready.

  GraphQL    ${endpoint} (in a browser: GraphiQL)
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

  ${elsewhere}npm run -s admin -- token

Try it:

  curl -s ${endpoint} -H 'Authorization: Bearer ${accessToken}' -H 'Content-Type: application/json' -d '${JSON.stringify({ query: QUERY })}'
`;
}

/** For the shell, when there is anything in it that the shell would read otherwise. */
function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
