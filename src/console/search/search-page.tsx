import { useEffect, useRef } from 'preact/hooks';
import { FIND } from '../documents.ts';
import { type Found, type FoundRecord, recordsOf } from './found-record.ts';
import { CopyBar, Progress } from '../parts.tsx';
import { Timeline } from './timeline.tsx';
import { useQuery } from '../use-query.ts';

const MAX_TEXT_LENGTH = 255;

/** Finds a record by its name, slug, sku or id, or by the id of a delivery, and shows what became of its events. */
export function SearchPage({ text }: { text: string }) {
  const call = text === '' ? null : { query: FIND, variables: { text } };
  const search = useQuery<Found>(call);
  const delivery = search.data?.delivery.data[0];
  // A delivery was found by its id: find the record that it is about.
  const behind = useQuery<Found>(delivery ? { query: FIND, variables: { text: delivery.recordId } } : null);
  const records = recordsOf(delivery ? behind.data : search.data);
  const record = records.length === 1 ? records[0]! : null;
  return (
    <>
      <h1>Why did a webhook not arrive?</h1>
      <SearchField text={text} />
      <Progress {...search} />
      {call && search.data && !delivery && records.length === 0 && <NotFound text={text} />}
      {records.length > 1 && <Candidates records={records} />}
      {record && <RecordHead record={record} />}
      {(record ?? delivery) && (
        <Timeline recordId={record?.id ?? delivery!.recordId} record={record} highlighted={delivery?.id ?? null} />
      )}
      {call && <CopyBar call={call}>The search: </CopyBar>}
    </>
  );
}

function SearchField({ text }: { text: string }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement)
        return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  const submit = (event: Event) => {
    event.preventDefault();
    location.hash = `#/search/${encodeURIComponent(field.current!.value.trim())}`;
  };
  return (
    <form class="search" role="search" onSubmit={submit}>
      <label for="text">Name, handle, sku or id of a record, or id of a delivery</label>
      <div class="row">
        <input
          id="text"
          ref={field}
          key={text}
          defaultValue={text}
          maxLength={MAX_TEXT_LENGTH}
          autocomplete="off"
          spellcheck={false}
          autofocus
        />
        <button type="submit">Find</button>
      </div>
      <p class="hint">
        Press <kbd>/</kbd> to come back to this field.
      </p>
    </form>
  );
}

function NotFound({ text }: { text: string }) {
  return (
    <p role="status">
      Nothing has the name, handle, sku or id <code>{text}</code>. A record that was removed for good is found by the id
      of one of its deliveries.
    </p>
  );
}

/** Several records contain the text: one of them is chosen. */
function Candidates({ records }: { records: FoundRecord[] }) {
  return (
    <section aria-labelledby="found">
      <h2 id="found">{records.length} records contain the text</h2>
      <ul class="plain">
        {records.map(({ id, kind, title, deleted }) => (
          <li key={id} class="line">
            <span class="muted">{kind}</span>
            <a class="wrap" href={`#/search/${id}`}>
              {title}
            </a>
            {deleted && <span class="status bad">deleted</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function RecordHead({ record }: { record: FoundRecord }) {
  return (
    <h2 class="record">
      <span class="muted">{record.kind}</span> {record.title}{' '}
      {record.deleted && <span class="status bad">deleted</span>}
      <code class="id">{record.id}</code>
    </h2>
  );
}
