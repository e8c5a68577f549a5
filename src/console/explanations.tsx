import { explainDocument } from './documents.ts';
import { CopyBar, Progress, Status } from './parts.tsx';
import type { RegisteredWebhook } from './timeline.tsx';
import { useQuery } from './use-query.ts';

/** The service explains at most this many webhooks of one record. */
const MAX_EXPLAINED = 20;

type Explanation = { code: string; message: string };

/** Shows for each webhook why it got an event of the record or did not. */
export function Explanations({ recordId, webhooks }: { recordId: string; webhooks: RegisteredWebhook[] }) {
  const asked = webhooks.slice(0, MAX_EXPLAINED);
  const variables = Object.fromEntries(
    asked.flatMap(({ scope, authorizedAppId }, number) => [
      [`scope${number}`, scope],
      [`app${number}`, authorizedAppId],
    ]),
  );
  const call = { query: explainDocument(asked.length), variables: { recordId, ...variables } };
  const query = useQuery<Record<string, Explanation>>(asked.length === 0 ? null : call);
  return (
    <section aria-labelledby="why">
      <h2 id="why">Why</h2>
      {asked.length === 0 && <p>No app of this merchant has a webhook for this kind of record, so nothing is sent.</p>}
      <Progress {...query} />
      <ul class="plain">
        {query.data &&
          asked.map(({ id, scope, endpoint }, number) => (
            <li key={id} class="card">
              <p class="line">
                <code>{scope}</code> <Status code={query.data![`why${number}`]!.code} />
                <span class="muted wrap">{endpoint}</span>
              </p>
              <p class="wrap">{query.data![`why${number}`]!.message}</p>
            </li>
          ))}
      </ul>
      {asked.length > 0 && <CopyBar call={call} />}
    </section>
  );
}
