import { useState } from 'preact/hooks';
import { APPS, REVOKE_APP, REVOKE_TOKENS } from './documents.ts';
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
type Data = { listAuthorizedApp: App[]; listAccessToken: { hasNext: boolean; data: Token[] } };
type Change = { onChange: () => Promise<void> };

/** The merchant's apps, each with its valid tokens. */
export function Apps() {
  const [includeRevoked, setIncludeRevoked] = useState(false);
  const [filter, setFilter] = useState('');
  const [page, setPage] = usePage(String(includeRevoked));
  const call = { query: APPS, variables: { includeRevoked, page } };
  const { data, reload, ...progress } = useQuery<Data>(call);
  const tokens = data?.listAccessToken;
  const all = data?.listAuthorizedApp ?? [];
  const shown = all.filter(({ id, name, email, scopes }) => matchesFilter(filter, [id, name, email, ...scopes]));
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
      {tokens?.hasNext && <p>There are more tokens than the latest 200, which are shown.</p>}
      {data && (
        <p role="status" class="muted">
          {shown.length} of {countText(all.length, 'app')}{' '}
          {page > 1 || all.length === MAX_PAGE_SIZE ? 'on this page' : ''}
        </p>
      )}
      <ul class="plain">
        {shown.map((app) => (
          <AppCard
            key={app.id}
            app={app}
            tokens={tokens!.data.filter(({ authorizedAppId }) => authorizedAppId === app.id)}
            onChange={reload}
          />
        ))}
      </ul>
      <Pager page={page} hasNext={all.length === MAX_PAGE_SIZE} onPage={setPage} what="apps" />
    </>
  );
}

function AppCard({ app, tokens, onChange }: { app: App; tokens: Token[] } & Change) {
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
      {tokens.length === 0 && <p class="muted">No token of this app is valid.</p>}
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
