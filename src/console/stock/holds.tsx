import { useState } from 'preact/hooks';
import { Choice, wordOptions } from '../choices.tsx';
import { HOLDS } from '../documents.ts';
import { Pager, usePage } from '../lists.tsx';
import { CopyBar, Progress, ReloadButton, Status, Time } from '../parts.tsx';
import { useQuery } from '../use-query.ts';
import { useLocationNames } from './location-names.ts';
import type { Place } from './movements.tsx';

type Hold = {
  id: string;
  quantity: number;
  status: string;
  createdAt: number;
  expiresAt: number;
  reference: string | null;
  stockLocationId: string;
};
type Data = { listStockHold: { hasNext: boolean; data: Hold[] } };

const STATUSES = wordOptions('All', ['ACTIVE', 'COMMITTED', 'RELEASED', 'EXPIRED']);

/** The holds of a variant, newest first: at first those that are active. */
export function Holds({ place }: { place: Place }) {
  const [status, setStatus] = useState('ACTIVE');
  const conditions = { ...place, ...(status !== '' && { status }) };
  const [page, setPage] = usePage(JSON.stringify(conditions));
  const call = { query: HOLDS, variables: { ...conditions, page } };
  const { data, reload, ...progress } = useQuery<Data>(call);
  const holds = data?.listStockHold;
  const nameOf = useLocationNames(holds?.data);
  return (
    <section aria-labelledby="holds">
      <h2 id="holds">Holds</h2>
      <CopyBar call={call}>
        <Choice label="Status" value={status} options={STATUSES} onChoose={setStatus} />
        <ReloadButton reload={reload} />
      </CopyBar>
      <Progress {...progress} />
      {holds?.data.length === 0 && <p role="status">There is no such hold.</p>}
      <ol class="plain">
        {holds?.data.map((hold) => (
          <HoldEntry key={hold.id} hold={hold} location={nameOf(hold.stockLocationId)} />
        ))}
      </ol>
      <Pager page={page} hasNext={holds?.hasNext ?? false} onPage={setPage} what="holds" />
    </section>
  );
}

function HoldEntry({ hold, location }: { hold: Hold; location: string }) {
  const { quantity, status, createdAt, expiresAt, reference } = hold;
  // The service gives a hold that has ended by itself its status within some seconds.
  const hasEnded = status === 'ACTIVE' && expiresAt <= Date.now();
  return (
    <li class="save">
      <p class="line">
        <strong>{quantity}</strong> <Status code={hasEnded ? 'EXPIRED' : status} />
        <span>
          until <Time at={expiresAt} />
        </span>
        <span class="muted wrap">at {location}</span>
      </p>
      <p class="wrap muted">
        held <Time at={createdAt} />
        {reference !== null && `, reference ${reference}`}
      </p>
    </li>
  );
}
