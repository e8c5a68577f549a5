import { useId, useState } from 'preact/hooks';
import { REVERT } from '../documents.ts';
import { type Conflict, send, ServiceError, type ServiceFailure } from '../graphql.ts';
import { hasScope } from '../session.ts';
import { countText } from '../times.ts';
import { messageOf } from '../use-query.ts';
import { type Member, Members, Values } from './members.tsx';
import { revertScopeOf } from './revertable.ts';

type Reverted = { recordType: string; recordId: string; members: Member[] };
/** `records` is only asked for before it is confirmed. */
type Result = { changeSetId: string | null; recordCount: number; bulkOperationId: string | null; records?: Reverted[] };
type Step =
  | { name: 'ready' | 'compared' | 'sent' | 'unchanged' }
  | { name: 'planned'; result: Result; isAnother: boolean }
  | { name: 'done'; result: Result }
  | { name: 'failed'; message: string; conflicts: Conflict[]; count: number };

/** Records and conflicts that are shown. The command `revert` shows all. */
const MAX_SHOWN = 50;

/** Takes a change set back: shows what would change, or the conflicts, and does it when it is confirmed. */
export function TakeBack(props: { changeSetId: string; recordType: string; onDone: () => Promise<void> }) {
  const { changeSetId, recordType, onDone } = props;
  const [step, setStep] = useState<Step>({ name: 'ready' });
  const reasonId = useId();
  const compare = async (shown: Result | null): Promise<Step> => {
    setStep({ name: 'compared' });
    const next = await plan(changeSetId).then(
      (result) => plannedStep(result, shown),
      (error: unknown) => failedStep(error, true),
    );
    setStep(next);
    return next;
  };
  // A change set can grow after it was shown, for example by an import that still runs.
  const confirm = async (shown: Result) => {
    const planned = await compare(shown);
    if (planned.name !== 'planned' || planned.isAnother) return;
    setStep({ name: 'sent' });
    const next = await revert(changeSetId, {}).then(
      (result): Step => (result.recordCount === 0 ? { name: 'unchanged' } : { name: 'done', result }),
      (error: unknown) => failedStep(error, false),
    );
    setStep(next);
    await onDone();
  };
  const reason = reasonAgainst(recordType);
  return (
    <div>
      <p class="actions">
        <button
          type="button"
          class="quiet"
          disabled={reason !== null || step.name === 'compared' || step.name === 'sent'}
          aria-describedby={reason === null ? undefined : reasonId}
          onClick={() => void compare(null)}
        >
          Take back …
        </button>
        {reason !== null && (
          <span id={reasonId} class="muted">
            {reason}
          </span>
        )}
      </p>
      <div role="status">
        {step.name === 'compared' && <p>Comparing …</p>}
        {step.name === 'sent' && <p>Taking back …</p>}
        {step.name === 'unchanged' && <p>Nothing is left to be taken back.</p>}
        {step.name === 'done' && <Outcome result={step.result} />}
        {step.name === 'failed' && <Failure {...step} />}
      </div>
      {step.name === 'planned' && (
        <Plan {...step} onConfirm={() => void confirm(step.result)} onCancel={() => setStep({ name: 'ready' })} />
      )}
    </div>
  );
}

/** What a revert would change. If its values are more than an answer may have, only the number of records. */
async function plan(changeSetId: string): Promise<Result> {
  try {
    return await revert(changeSetId, { withRecords: true, isDryRun: true });
  } catch (error) {
    if (!(error instanceof ServiceError) || !error.failures.some(isInvalid)) throw error;
    return revert(changeSetId, { isDryRun: true });
  }
}

function isInvalid({ extensions }: ServiceFailure): boolean {
  return extensions?.code === 'ARGUMENT_VALIDATION_ERROR';
}

type RevertOptions = { withRecords?: boolean; isDryRun?: boolean };

async function revert(changeSetId: string, options: RevertOptions): Promise<Result> {
  const { withRecords = false, isDryRun = false } = options;
  const call = { query: REVERT, variables: { changeSetId, withRecords } };
  return (await send<{ revertChanges: Result }>(call, isDryRun)).revertChanges;
}

/** `shown`: the plan that was shown before. */
function plannedStep(result: Result, shown: Result | null): Step {
  if (result.recordCount === 0) return { name: 'unchanged' };
  return { name: 'planned', result, isAnother: shown !== null && contentOf(shown) !== contentOf(result) };
}

/** Without the ids, which each dry run makes anew. */
function contentOf({ recordCount, records }: Result): string {
  return JSON.stringify([recordCount, records]);
}

function failedStep(error: unknown, isDryRun: boolean): Step {
  const isAnswer = error instanceof ServiceError;
  const { conflicts = [], conflictCount: count = 0 } = (isAnswer && error.failures[0]?.extensions) || {};
  const isUnknown = !isDryRun && !isAnswer;
  const message = isUnknown ? `No answer came, so it may be taken back or not: ${messageOf(error)}` : messageOf(error);
  return { name: 'failed', message, conflicts, count };
}

function reasonAgainst(recordType: string): string | null {
  const scope = revertScopeOf(recordType);
  if (scope === null) return 'Changes of webhooks and apps cannot be taken back.';
  if (hasScope(scope)) return null;
  return `This session has no scope ${scope}. Sign in with a link of “commerce console --revert”.`;
}

function Plan(props: { result: Result; isAnother: boolean; onConfirm: () => void; onCancel: () => void }) {
  const { recordCount, records } = props.result;
  const shown = records?.slice(0, MAX_SHOWN) ?? [];
  return (
    <section aria-label="What would change">
      {props.isAnother && <p class="problem">The change set has changed since it was shown.</p>}
      <p role="status">This would change {countText(recordCount, 'record')}:</p>
      <ul class="plain">
        {shown.map(({ recordType, recordId, members }) => (
          <li key={`${recordType} ${recordId}`}>
            <p class="wrap">
              {recordType} <code class="id">{recordId}</code>
            </p>
            <Members members={members} />
          </li>
        ))}
      </ul>
      {shown.length < recordCount && <p class="muted">{restText(records, shown)}</p>}
      <p class="actions">
        <button type="button" class="danger" onClick={props.onConfirm}>
          Take back {countText(recordCount, 'record')}
        </button>
        <button type="button" class="quiet" onClick={props.onCancel}>
          Cancel
        </button>
      </p>
    </section>
  );
}

/** Says why not all records are shown. */
function restText(records: Reverted[] | undefined, shown: Reverted[]): string {
  if (records === undefined) return 'Their values are too long to be shown.';
  if (shown.length === 0) return 'They are too many to be listed, and are taken back in the background.';
  return `The first ${shown.length} are shown.`;
}

function Outcome({ result: { changeSetId, recordCount, bulkOperationId } }: { result: Result }) {
  if (bulkOperationId !== null)
    return (
      <p>
        Taking {countText(recordCount, 'record')} back, in <a href="#/bulk">bulk operation</a>{' '}
        <code class="id">{bulkOperationId}</code>.
      </p>
    );
  return (
    <p>
      {countText(recordCount, 'record')} taken back, by change set <code class="id">{changeSetId}</code>.
    </p>
  );
}

function Failure({ message, conflicts, count }: { message: string; conflicts: Conflict[]; count: number }) {
  const shown = conflicts.slice(0, MAX_SHOWN);
  return (
    <>
      <p class="problem">{message}</p>
      {shown.length > 0 && (
        <table>
          <caption>{countText(count, 'member')} changed since</caption>
          <thead>
            <tr>
              <th scope="col">Member</th>
              <th scope="col">After the change</th>
              <th scope="col">Now</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ recordType, recordId, path, expected, found }) => (
              <tr key={`${recordId} ${path}`}>
                <th scope="row">
                  {path}{' '}
                  <span class="muted">
                    of {recordType} <code class="id">{recordId}</code>
                  </span>
                </th>
                <Values path={path} before={expected} after={found} />
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {shown.length < count && <p class="muted">The first {shown.length} are shown.</p>}
    </>
  );
}
