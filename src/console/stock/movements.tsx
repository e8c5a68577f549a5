import { useState } from 'preact/hooks';
import { Choice, wordOptions } from '../choices.tsx';
import { MOVEMENTS } from '../documents.ts';
import { Pager, usePage } from '../lists.tsx';
import { type ChangeSet, originText } from '../origin.ts';
import { CopyBar, Progress, ReloadButton, Status, Time } from '../parts.tsx';
import { useQuery } from '../use-query.ts';
import { useLocationNames } from './location-names.ts';

type Movement = {
  id: string;
  createdAt: number;
  kind: string;
  delta: number;
  countAfter: number;
  reason: string | null;
  reference: string | null;
  stockLocationId: string;
  changeSet: ChangeSet;
};
type Data = { listStockMovement: { hasNext: boolean; data: Movement[] } };
/** A variant at one stock location, or at all. */
export type Place = { variantId: string; stockLocationId?: string };

const KINDS = wordOptions('All kinds', [
  'OPENED',
  'RECEIVED',
  'SOLD',
  'RETURNED',
  'DAMAGED',
  'COUNTED',
  'MOVED',
  'CORRECTED',
  'IMPORTED',
]);

/** What changed the counts of a variant, newest first. */
export function Movements({ place }: { place: Place }) {
  const [kind, setKind] = useState('');
  const conditions = { ...place, ...(kind !== '' && { kind }) };
  const [page, setPage] = usePage(JSON.stringify(conditions));
  const call = { query: MOVEMENTS, variables: { ...conditions, page } };
  const { data, reload, ...progress } = useQuery<Data>(call);
  const movements = data?.listStockMovement;
  const nameOf = useLocationNames(movements?.data);
  return (
    <section aria-labelledby="movements">
      <h2 id="movements">Movements</h2>
      <CopyBar call={call}>
        <Choice label="Kind of movement" value={kind} options={KINDS} onChoose={setKind} />
        <ReloadButton reload={reload} />
      </CopyBar>
      <Progress {...progress} />
      {movements?.data.length === 0 && <p role="status">There is no such movement.</p>}
      <ol class="plain">
        {movements?.data.map((movement) => (
          <MovementEntry key={movement.id} movement={movement} location={nameOf(movement.stockLocationId)} />
        ))}
      </ol>
      <Pager page={page} hasNext={movements?.hasNext ?? false} onPage={setPage} what="movements" />
    </section>
  );
}

function MovementEntry({ movement, location }: { movement: Movement; location: string }) {
  const { createdAt, kind, delta, countAfter, reason, reference, changeSet } = movement;
  return (
    <li class="save">
      <p class="line">
        <Time at={createdAt} /> <Status code={kind} />
        <strong>
          {delta > 0 ? `+${delta}` : delta} → {countAfter}
        </strong>
        <span class="muted wrap">at {location}</span>
      </p>
      <p class="wrap">
        {originText(changeSet)}
        {reference !== null && `, reference ${reference}`}
        {reason !== null && `, reason: ${reason}`}
      </p>
    </li>
  );
}
