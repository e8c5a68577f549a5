import { useState } from 'preact/hooks';
import { FIND } from '../documents.ts';
import { History } from '../history/history.tsx';
import { findParts } from './find-parts.ts';
import { type FoundRecord, recordsOf } from './found-record.ts';
import { CopyBar, Progress } from '../parts.tsx';
import { Stock } from '../stock/stock.tsx';
import { SearchField } from './search-field.tsx';
import { Timeline } from './timeline.tsx';
import { useQuery } from '../use-query.ts';

/** What is shown of a record: its events, its changes or its stock. Each is a page with its own question. */
export const VIEWS = {
  search: { link: 'Events', title: 'Why did a webhook not arrive?' },
  history: { link: 'History', title: 'Who changed it?' },
  stock: { link: 'Stock', title: 'Why is a count what it is?' },
} as const;

export type View = keyof typeof VIEWS;

/** Finds a record by its name, slug, sku or id, or by the id of a delivery, and shows one view of it. */
export function SearchPage({ view, text }: { view: View; text: string }) {
  const call = text === '' ? null : { query: FIND, variables: { text } };
  const [turn, setTurn] = useState(0);
  const search = useQuery(call, `${turn}`, findParts);
  const delivery = search.data?.delivery.data[0];
  // A delivery was found by its id: find the record that it is about.
  const behindCall = delivery ? { query: FIND, variables: { text: delivery.recordId } } : null;
  const behind = useQuery(behindCall, `${turn}`, findParts);
  const reload = async () => void (await Promise.all([search.reload(), behind.reload()]));
  const { records, hasMore } = recordsOf(delivery ? behind.data : search.data);
  const record = records.length === 1 ? records[0]! : null;
  // A hold is not found by its id either.
  const isGone = delivery !== undefined && behind.data?.problem === '' && records.length === 0;
  const isUnknown = call !== null && search.data?.problem === '' && !delivery && records.length === 0;
  const problem = search.error ?? behind.error ?? (search.data?.problem || behind.data?.problem || null);
  return (
    <>
      <h1>{VIEWS[view].title}</h1>
      <SearchField view={view} text={text} onRepeat={() => setTurn(turn + 1)} />
      <Progress {...search} error={problem} />
      {isUnknown && view !== 'history' && <NotFound text={text} />}
      {records.length > 1 && <Candidates {...{ view, records, hasMore }} />}
      {record && <RecordHead view={view} record={record} />}
      {view === 'search' && (record ?? delivery) && (
        <Timeline key={turn} recordId={record?.id ?? delivery!.recordId} record={record} found={delivery} />
      )}
      {view === 'history' && (
        <HistoryView
          key={turn}
          text={text}
          recordId={record?.id ?? delivery?.recordId}
          isUnknown={isUnknown}
          onTakenBack={reload}
        />
      )}
      {view === 'stock' && <StockView key={turn} record={record} text={text} isGone={isGone} />}
      {call && <CopyBar call={call}>The search: </CopyBar>}
    </>
  );
}

/** The id of a record that the search does not find, such as a category's, is looked up among the changes. */
function HistoryView(props: {
  text: string;
  recordId: string | undefined;
  isUnknown: boolean;
  onTakenBack: () => Promise<void>;
}) {
  const { text, recordId, isUnknown, onTakenBack } = props;
  if (text === '') return <History key="" recordId={null} onTakenBack={onTakenBack} />;
  const shown = recordId ?? (isUnknown ? text : null);
  return shown === null ? null : <History key={shown} recordId={shown} onTakenBack={onTakenBack} />;
}

function StockView({ record, text, isGone }: { record: FoundRecord | null; text: string; isGone: boolean }) {
  if (isGone)
    return <p role="status">The delivery is about a hold, or about a record that is gone: it has no stock.</p>;
  if (record === null) return null;
  if (record.kind === 'customer') return <p>A customer has no stock. Find a product.</p>;
  const { productId = record.id, variantId = null, stockLocationId = '' } = record.place ?? {};
  return <Stock key={record.id} {...{ productId, variantId, stockLocationId, text }} />;
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
function Candidates(props: { view: View; records: FoundRecord[]; hasMore: boolean }) {
  const { view, records, hasMore } = props;
  return (
    <section aria-labelledby="found">
      <h2 id="found">
        {hasMore && 'More than '}
        {records.length} records contain the text
      </h2>
      {hasMore && <p class="muted">The first {records.length} are shown.</p>}
      <ul class="plain">
        {records.map(({ id, kind, title, deleted }) => (
          <li key={id} class="line">
            <span class="muted">{kind}</span>
            <a class="wrap" href={`#/${view}/${id}`}>
              {title}
            </a>
            {deleted && <span class="status bad">deleted</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The record, and links to its other views. */
function RecordHead({ view, record }: { view: View; record: FoundRecord }) {
  const others = Object.entries(VIEWS).filter(
    ([name]) => name !== view && (name !== 'stock' || record.kind !== 'customer'),
  );
  return (
    <>
      <h2 class="record">
        <span class="muted">{record.kind}</span> {record.title}{' '}
        {record.deleted && <span class="status bad">deleted</span>}
        <code class="id">{record.id}</code>
      </h2>
      <p class="line">
        {others.map(([name, { link }]) => (
          <a key={name} href={`#/${name}/${record.id}`}>
            {link} of this {record.kind}
          </a>
        ))}
      </p>
    </>
  );
}
