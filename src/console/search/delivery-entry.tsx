import { REDELIVER, RESUME, TEST } from '../documents.ts';
import { ActionButton, Status, Time } from '../parts.tsx';
import { hasScope } from '../session.ts';
import type { DeliveryWebhook } from './webhooks-of.ts';

type Attempt = {
  at: number;
  statusCode: number | null;
  error: string | null;
  durationMs: number | null;
  nextAttemptAt: number | null;
  responseBody: string | null;
  responseHeaders: { name: string; value: string }[] | null;
};

export type Delivery = {
  id: string;
  scope: string;
  authorizedAppId: string;
  appName: string | null;
  endpoint: string;
  status: string;
  createdAt: number;
  attempts: Attempt[];
};

type Props = {
  delivery: Delivery;
  /** Null if it is deleted, undefined while that is not known. */
  webhook: DeliveryWebhook | null | undefined;
  isHighlighted: boolean;
  onChange: () => Promise<void>;
};

export function DeliveryEntry({ delivery, webhook, isHighlighted, onChange }: Props) {
  return (
    <li class={isHighlighted ? 'card highlighted' : 'card'}>
      <h3 class="line">
        <Time at={delivery.createdAt} /> <code>{delivery.scope}</code> <Status code={delivery.status} />
      </h3>
      <p class="wrap muted">
        To <strong>{delivery.appName}</strong> at {delivery.endpoint}
        {webhook?.status === 'PAUSED' && ', which is paused'}
        {webhook === null && ', whose webhook is deleted'}
      </p>
      {delivery.attempts.length === 0 && <p>No request was made yet.</p>}
      <ol class="attempts">
        {delivery.attempts.map((attempt) => (
          <AttemptEntry key={attempt.at} attempt={attempt} />
        ))}
      </ol>
      {hasScope('write_webhooks') && webhook && <Actions delivery={delivery} webhook={webhook} onChange={onChange} />}
      <p class="muted">
        Delivery <code class="id">{delivery.id}</code>
      </p>
    </li>
  );
}

function AttemptEntry({ attempt }: { attempt: Attempt }) {
  const { at, statusCode, error, durationMs, nextAttemptAt, responseBody, responseHeaders } = attempt;
  return (
    <li>
      <p class="line">
        <Time at={at} />{' '}
        <span class={`status ${error === null ? 'good' : 'bad'}`}>{error ?? `status ${statusCode}`}</span>
        {durationMs !== null && <span class="muted">{durationMs} ms</span>}
        {nextAttemptAt !== null && (
          <span class="muted">
            next request due <Time at={nextAttemptAt} />
          </span>
        )}
      </p>
      {responseBody !== null && responseBody !== '' && (
        <pre class="answer" tabIndex={0} aria-label="Body of the response">
          {responseBody}
        </pre>
      )}
      {responseHeaders !== null && responseHeaders.length > 0 && (
        <details>
          <summary>Headers of the response</summary>
          <dl>
            {responseHeaders.map(({ name, value }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd class="wrap">{value}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </li>
  );
}

type Sample = { statusCode: number | null; error: string | null };
type Tested = { testWebhook: { signed: Sample; forgedSignature: Sample; staleTimestamp: Sample } };

function Actions({ delivery, webhook, onChange }: Omit<Props, 'isHighlighted'> & { webhook: DeliveryWebhook }) {
  const { scope, authorizedAppId } = delivery;
  const isPaused = webhook.status === 'PAUSED';
  return (
    <div class="actions">
      {isPaused && (
        <ActionButton
          label="Resume"
          isPrimary
          call={{ query: RESUME, variables: { id: webhook.id } }}
          describe={() => 'Resumed.'}
          onDone={onChange}
        />
      )}
      <ActionButton
        label="Redeliver"
        isPrimary={!isPaused}
        call={{ query: REDELIVER, variables: { idList: [delivery.id] } }}
        describe={(data: { redeliverWebhookDeliveryList: { queuedCount: number } }) =>
          data.redeliverWebhookDeliveryList.queuedCount === 1 ? 'Queued.' : 'It is pending already.'
        }
        onDone={onChange}
      />
      <ActionButton
        label="Test the endpoint"
        call={{ query: TEST, variables: { scope, authorizedAppId } }}
        describe={describeTest}
      />
    </div>
  );
}

export function describeTest({ testWebhook: { signed, forgedSignature, staleTimestamp } }: Tested): string {
  const text = ({ statusCode, error }: Sample) => error ?? String(statusCode);
  return `Signed: ${text(signed)}. Forged signature: ${text(forgedSignature)}. Old timestamp: ${text(staleTimestamp)}.`;
}
