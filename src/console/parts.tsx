import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { asCurl, asGraphQL, type Call, send, ServiceError } from './graphql.ts';
import { localText, relativeText } from './times.ts';
import { messageOf, type Query } from './use-query.ts';

const COPIED_MS = 2_000;

/** A time in the browser's time zone and how long ago it is. Its title is the time in UTC. */
export function Time({ at }: { at: number | null | undefined }) {
  if (at === null || at === undefined) return <span class="muted">–</span>;
  const iso = new Date(at).toISOString();
  return (
    <time dateTime={iso} title={iso}>
      {localText(at)} ({relativeText(at, Date.now())})
    </time>
  );
}

const ISO_TIME = /(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)/;

/** A text of the service, with its times as the console shows times. */
export function Sentence({ text }: { text: string }) {
  return (
    <>{text.split(ISO_TIME).map((part) => (ISO_TIME.test(part) ? <Time key={part} at={Date.parse(part)} /> : part))}</>
  );
}

const TONES: Record<string, string> = {
  DELIVERED: 'good',
  ACTIVE: 'good',
  COMPLETED: 'good',
  COMMITTED: 'good',
  FAILED: 'bad',
  GIVEN_UP: 'bad',
  PAUSED: 'bad',
  APP_REVOKED: 'bad',
  PENDING: 'wait',
  WAITING: 'wait',
  RUNNING: 'wait',
};

export function Status({ code }: { code: string }) {
  return <span class={`status ${TONES[code] ?? 'plain'}`}>{code}</span>;
}

/** Shows the error of a query, or that its first data is loading. */
export function Progress({ error, isLoading }: Pick<Query<unknown>, 'error' | 'isLoading'>) {
  if (error !== null)
    return (
      <p role="alert" class="problem">
        {error}
      </p>
    );
  return isLoading ? <p role="status">Loading …</p> : null;
}

/** What failed, in the words of the console. */
function failureText(error: unknown): string {
  const isPaused = error instanceof ServiceError && error.failures.some(({ extensions }) => extensions?.webhookIds);
  return isPaused ? 'The webhook is paused. Press “Resume” first, then “Redeliver”.' : messageOf(error);
}

/**
 * A button that sends a mutation and shows the outcome beside itself. With `isFinal` it asks for a confirmation first.
 */
export function ActionButton(props: {
  label: string;
  call: Call;
  describe: (data: never) => string;
  isFinal?: boolean;
  /** The one button of a card that is most likely wanted. */
  isPrimary?: boolean;
  onDone?: () => unknown;
}) {
  const [state, setState] = useState<{ step: 'ready' | 'asked' | 'sent'; text: string }>({ step: 'ready', text: '' });
  const run = async () => {
    setState({ step: 'sent', text: '' });
    const text = await send(props.call).then((data) => props.describe(data as never), failureText);
    setState({ step: 'ready', text });
    await props.onDone?.();
  };
  const isAsked = state.step === 'asked';
  const press = (isRepeated: boolean) => {
    if (isRepeated) return;
    if (!props.isFinal) return void run();
    setState(isAsked ? { step: 'ready', text: '' } : { step: 'asked', text: 'Confirm or cancel.' });
  };
  // The first button becomes Cancel and keeps the focus, so that a held key confirms nothing. Nor does a double click.
  return (
    <span class="action">
      <button
        type="button"
        class={props.isFinal && !isAsked ? 'danger' : props.isPrimary ? '' : 'quiet'}
        disabled={state.step === 'sent'}
        onClick={({ detail }) => press(detail > 1)}
      >
        {isAsked ? 'Cancel' : props.label}
      </button>
      {isAsked && (
        <button type="button" class="danger" onClick={({ detail }) => void (detail > 1 || run())}>
          {props.label}: are you sure?
        </button>
      )}
      <span role="status">{state.text}</span>
    </span>
  );
}

export function ReloadButton({ reload }: { reload: () => Promise<void> }) {
  return (
    <button type="button" class="quiet" onClick={() => void reload()}>
      Reload
    </button>
  );
}

/** Buttons that copy the request of a page. If the browser refuses to copy, the text is shown to be copied by hand. */
export function CopyBar({ call, children }: { call: Call; children?: ComponentChildren }) {
  const [shown, setShown] = useState<{ message: string; text: string }>({ message: '', text: '' });
  const copy = async (text: string) => {
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setShown(isCopied ? { message: 'Copied.', text: '' } : { message: 'Copy this text:', text });
    if (isCopied) setTimeout(() => setShown({ message: '', text: '' }), COPIED_MS);
  };
  return (
    <div class="copy">
      {children}
      <button type="button" class="quiet" onClick={() => void copy(asGraphQL(call))}>
        Copy as GraphQL
      </button>
      <button type="button" class="quiet" onClick={() => void copy(asCurl(call))}>
        Copy as curl
      </button>
      <span role="status">{shown.message}</span>
      {shown.text !== '' && <textarea readOnly rows={8} aria-label="Text to copy" value={shown.text} />}
    </div>
  );
}
