import { useState } from 'preact/hooks';
import { describeTest } from './search/delivery-entry.tsx';
import { RESUME, TEST, WEBHOOKS } from './documents.ts';
import { HoursChart, type Hour } from './hours-chart.tsx';
import { ActionButton, CopyBar, Progress, ReloadButton, Status, Time } from './parts.tsx';
import { FilterField, MAX_PAGE_SIZE, Pager } from './lists.tsx';
import { matchesFilter } from './matches-filter.ts';
import { countText } from './times.ts';
import { hasScope } from './session.ts';
import { useQuery } from './use-query.ts';

type Health = {
  requestCount: number;
  successRate: number | null;
  durationP95Ms: number | null;
  oldestPendingAt: number | null;
  lastSuccessAt: number | null;
  lastFailureAt: number | null;
  hours: Hour[];
};
type ListedWebhook = {
  id: string;
  authorizedAppId: string;
  appName: string;
  scope: string;
  endpoint: string;
  status: string;
  pausedAt: number | null;
  createdAt: number;
  health: Health;
};

/** Shows the webhooks of all apps and the success of their requests in the last 24 hours. */
export function Webhooks() {
  const [page, setPage] = useState(1);
  const [filter, setFilter] = useState('');
  const [isPausedOnly, setIsPausedOnly] = useState(false);
  const call = { query: WEBHOOKS, variables: { page } };
  const { data, reload, ...progress } = useQuery<{ listWebhook: ListedWebhook[] }>(call);
  const all = data?.listWebhook ?? [];
  const shown = all.filter(
    ({ status, appName, authorizedAppId, scope, endpoint }) =>
      (!isPausedOnly || status === 'PAUSED') && matchesFilter(filter, [appName, authorizedAppId, scope, endpoint]),
  );
  return (
    <>
      <h1>Webhooks</h1>
      <CopyBar call={call}>
        <FilterField label="App, scope or endpoint" onFilter={setFilter} />
        <label>
          <input
            type="checkbox"
            checked={isPausedOnly}
            onChange={(event) => setIsPausedOnly(event.currentTarget.checked)}
          />{' '}
          Paused only
        </label>
        <ReloadButton reload={reload} />
      </CopyBar>
      <Progress {...progress} />
      {data && (
        <p role="status" class="muted">
          {shown.length} of {countText(all.length, 'webhook')}{' '}
          {page > 1 || all.length === MAX_PAGE_SIZE ? 'on this page' : ''}
        </p>
      )}
      <ul class="plain">
        {shown.map((webhook) => (
          <WebhookCard key={webhook.id} webhook={webhook} onChange={reload} />
        ))}
      </ul>
      <Pager page={page} hasNext={all.length === MAX_PAGE_SIZE} onPage={setPage} what="webhooks" />
    </>
  );
}

function WebhookCard({ webhook, onChange }: { webhook: ListedWebhook; onChange: () => Promise<void> }) {
  const { id, scope, endpoint, status, pausedAt, authorizedAppId, appName, health } = webhook;
  return (
    <li class="card">
      <h2 class="line">
        <span class="wrap">{appName}</span> <code>{scope}</code> <Status code={status} />
      </h2>
      <p class="wrap">{endpoint}</p>
      {pausedAt !== null && (
        <p>
          Paused since <Time at={pausedAt} />
        </p>
      )}
      <HealthFigures health={health} />
      <HoursChart hours={health.hours} />
      {hasScope('write_webhooks') && (
        <div class="actions">
          {status === 'PAUSED' && (
            <ActionButton
              label="Resume"
              isPrimary
              call={{ query: RESUME, variables: { id } }}
              describe={() => 'Resumed.'}
              onDone={onChange}
            />
          )}
          <ActionButton
            label="Test the endpoint"
            call={{ query: TEST, variables: { scope, authorizedAppId } }}
            describe={describeTest}
          />
        </div>
      )}
      <p class="muted">
        App <code class="id">{authorizedAppId}</code>
      </p>
    </li>
  );
}

function HealthFigures({ health }: { health: Health }) {
  const { requestCount, successRate, durationP95Ms, oldestPendingAt, lastSuccessAt, lastFailureAt } = health;
  return (
    <dl class="figures">
      <div>
        <dt>Requests in 24 h</dt>
        <dd>{requestCount}</dd>
      </div>
      <div>
        <dt>Success</dt>
        <dd>{successRate === null ? '–' : `${(successRate * 100).toFixed(1)} %`}</dd>
      </div>
      <div>
        <dt>95 of 100 within</dt>
        <dd>{durationP95Ms === null ? '–' : `${durationP95Ms} ms`}</dd>
      </div>
      <div>
        <dt>Last success</dt>
        <dd>
          <Time at={lastSuccessAt} />
        </dd>
      </div>
      <div>
        <dt>Last failure</dt>
        <dd>
          <Time at={lastFailureAt} />
        </dd>
      </div>
      <div>
        <dt>Oldest pending</dt>
        <dd>
          <Time at={oldestPendingAt} />
        </dd>
      </div>
    </dl>
  );
}
