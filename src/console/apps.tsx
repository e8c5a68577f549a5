import { useCallback, useState } from 'preact/hooks';
import { APPS, REVOKE_APP, REVOKE_TOKENS, TOKENS } from './documents.ts';
import { ActionButton, CopyBar, Progress, ReloadButton, Status, Time } from './parts.tsx';
import { FilterField, MAX_PAGE_SIZE, Pager, usePage } from './lists.tsx';
import { matchesFilter } from './matches-filter.ts';
import { countText } from './times.ts';
import { hasScope } from './session.ts';
import { useQuery } from './use-query.ts';

type App = {
  id: string;
  name: string;
  email: string | null;
  scopes: string[];
  addedDate: number;
  lastUsedAt: number | null;
  revokedAt: number | null;
};
type Token = {
  id: string;
  authorizedAppId: string;
  scopes: string[];
  createdAt: number;
  expiresAt: number;
  lastUsedAt: number | null;
};
type TokenPage = { listAccessToken: { hasNext: boolean; data: Token[] } };
type Change = { onChange: () => Promise<void> };

/** The merchant's apps, each with its valid tokens. */
export function Apps() {
  const [includeRevoked, setIncludeRevoked] = useState(false);
  const [filter, setFilter] = useState('');
  const [page, setPage] = usePage(String(includeRevoked));
  const call = { query: APPS, variables: { includeRevoked, page } };
  const { data, reload: reloadApps, ...progress } = useQuery<{ listAuthorizedApp: App[] }>(call);
  const all = data?.listAuthorizedApp ?? [];
  const shown = all.filter(({ id, name, email, scopes }) => matchesFilter(filter, [id, name, email, ...scopes]));
  const tokens = useTokens(shown.map(({ id }) => id));
  const reload = useCallback(
    async () => void (await Promise.all([reloadApps(), tokens.reload()])),
    [reloadApps, tokens.reload],
  );
  return (
    <>
      <h1>Apps and tokens</h1>
      <CopyBar call={call}>
        <FilterField label="Name, e-mail, scope or id" onFilter={setFilter} />
        <label>
          <input
            type="checkbox"
            checked={includeRevoked}
            onChange={(event) => setIncludeRevoked(event.currentTarget.checked)}
          />{' '}
          Show revoked apps
        </label>
        <ReloadButton reload={reload} />
      </CopyBar>
      <Progress {...progress} />
      {data && (
        <p role="status" class="muted">
          {shown.length} of {countText(all.length, 'app')}{' '}
          {page > 1 || all.length === MAX_PAGE_SIZE ? 'on this page' : ''}
        </p>
      )}
      <Progress error={tokens.error} isLoading={tokens.isLoading} />
      <Pager page={tokens.page} hasNext={tokens.hasNext} onPage={tokens.setPage} what="tokens" />
      <ul class="plain">
        {shown.map((app) => (
          <AppCard key={app.id} app={app} tokens={tokens.of(app)} without={tokens.without} onChange={reload} />
        ))}
      </ul>
      <Pager page={page} hasNext={all.length === MAX_PAGE_SIZE} onPage={setPage} what="apps" />
      {tokens.call && <CopyBar call={tokens.call}>The tokens: </CopyBar>}
    </>
  );
}

/** A page of the valid tokens of apps. `without` is the text for an app that has no token on the page. */
function useTokens(apps: string[]) {
  const [page, setPage] = usePage(apps.join());
  const call = apps.length === 0 ? null : { query: TOKENS, variables: { apps, page } };
  const { data, isCurrent, ...query } = useQuery<TokenPage>(call);
  const { hasNext = false, data: tokens = [] } = data?.listAccessToken ?? {};
  const isOnlyPage = page === 1 && !hasNext;
  const without = isOnlyPage ? 'No token of this app is valid.' : 'No token of this app is on this page of tokens.';
  const of = (app: App) => tokens.filter(({ authorizedAppId }) => authorizedAppId === app.id);
  return { ...query, call, page, setPage, hasNext, of, without: isCurrent ? without : '' };
}

function AppCard({ app, tokens, without, onChange }: { app: App; tokens: Token[]; without: string } & Change) {
  const isRevocable = app.revokedAt === null && hasScope('write_apps');
  return (
    <li class="card">
      <h2 class="line wrap">
        {app.name} {app.revokedAt !== null && <Status code="APP_REVOKED" />}
      </h2>
      <dl class="figures">
        <div>
          <dt>Last used</dt>
          <dd>
            <Time at={app.lastUsedAt} />
          </dd>
        </div>
        <div>
          <dt>Added</dt>
          <dd>
            <Time at={app.addedDate} />
          </dd>
        </div>
        <div>
          <dt>E-mail</dt>
          <dd class="wrap">{app.email ?? '–'}</dd>
        </div>
      </dl>
      <Scopes scopes={app.scopes} />
      <h3>Tokens</h3>
      {tokens.length === 0 && <p class="muted">{without}</p>}
      <ul class="plain">
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} onChange={onChange} />
        ))}
      </ul>
      {isRevocable && (
        <ActionButton
          label="Revoke the app"
          isFinal
          call={{ query: REVOKE_APP, variables: { id: app.id } }}
          describe={() => 'Revoked.'}
          onDone={onChange}
        />
      )}
      <p class="muted">
        <code class="id">{app.id}</code>
      </p>
    </li>
  );
}

function TokenRow({ token, onChange }: { token: Token } & Change) {
  return (
    <li class="token">
      <p class="line">
        <span>
          Last used <Time at={token.lastUsedAt} />
        </span>
        <span class="muted">
          issued <Time at={token.createdAt} />, ends <Time at={token.expiresAt} />
        </span>
      </p>
      <Scopes scopes={token.scopes} />
      {hasScope('write_apps') && (
        <ActionButton
          label="Revoke the token"
          isFinal
          call={{ query: REVOKE_TOKENS, variables: { idList: [token.id] } }}
          describe={() => 'Revoked.'}
          onDone={onChange}
        />
      )}
    </li>
  );
}

function Scopes({ scopes }: { scopes: string[] }) {
  return (
    <details>
      <summary>{countText(scopes.length, 'scope')}</summary>
      <p class="wrap">{scopes.map((scope) => scope.toLowerCase()).join(', ')}</p>
    </details>
  );
}
