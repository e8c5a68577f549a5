import { useState } from 'preact/hooks';
import { Choice } from '../choices.tsx';
import { EXPLAIN } from '../documents.ts';
import { Pager, usePage } from '../lists.tsx';
import { CopyBar, Progress, Sentence, Status } from '../parts.tsx';
import { useQuery } from '../use-query.ts';

const PAGE_SIZE = 20;

type Explanation = { code: string; message: string; authorizedAppId: string; appName: string; endpoint: string | null };
type Data = { explainWebhookList: { count: number; hasNext: boolean; data: Explanation[] } };
/** `statuses` are those of the deliveries: when they change, so may the reasons. */
type Props = { recordId: string; scopes: readonly string[]; initialScope: string; app: string; statuses: string };

/** Shows for each app, or for one, why it got the last event of a kind about the record or did not. */
export function Explanations({ recordId, scopes, initialScope, app, statuses }: Props) {
  const [chosen, setChosen] = useState<string | null>(null);
  const scope = chosen ?? initialScope;
  const [page, setPage] = usePage(`${recordId} ${scope} ${app}`);
  const call = {
    query: EXPLAIN,
    variables: { recordId, scope, ...(app !== '' && { app }), pagination: { page, limit: PAGE_SIZE } },
  };
  const query = useQuery<Data>(call, statuses);
  const found = query.data?.explainWebhookList;
  return (
    <section aria-labelledby="why">
      <h2 id="why">Why</h2>
      <Choice
        label="What became of the last"
        value={scope}
        options={scopes.map((one) => [one, one])}
        onChoose={setChosen}
      />
      <Progress {...query} />
      {found?.count === 0 && <p>No such app may read this kind of record.</p>}
      <ul class="plain">
        {found?.data.map(({ authorizedAppId, appName, code, message, endpoint }) => (
          <li key={authorizedAppId} class="card">
            <p class="line">
              <strong class="wrap">{appName}</strong> <Status code={code} />
              <span class="muted wrap">{endpoint}</span>
            </p>
            <p class="wrap">
              <Sentence text={message} />
            </p>
          </li>
        ))}
      </ul>
      {found && found.count > found.data.length && (
        <p class="muted">
          {found.data.length} of {found.count} apps are shown.
        </p>
      )}
      <Pager page={page} hasNext={found?.hasNext ?? false} onPage={setPage} what="apps" />
      <CopyBar call={call} />
    </section>
  );
}
