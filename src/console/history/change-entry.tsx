import { type ChangeSet, originText } from '../origin.ts';
import { Status, Time } from '../parts.tsx';
import { type Member, Members } from './members.tsx';
import { TakeBack } from './take-back.tsx';

export type Change = {
  id: string;
  createdAt: number;
  number: number;
  kind: string;
  recordType: string;
  recordId: string;
  truncated: boolean;
  members: Member[];
  changeSet: ChangeSet;
};

/** Who changed a record and when, with the old and the new value of each member. */
export function ChangeEntry(props: { change: Change; isOfOneRecord: boolean; onTakenBack: () => Promise<void> }) {
  const { change, isOfOneRecord, onTakenBack } = props;
  const { createdAt, number, kind, recordType, recordId, truncated, members, changeSet } = change;
  return (
    <li class="card">
      <h3 class="line">
        <Time at={createdAt} /> <Status code={kind} />
        {!isOfOneRecord && <span class="muted">{recordType}</span>}
      </h3>
      <p class="wrap">
        Change {number}
        {!isOfOneRecord && <RecordLink id={recordId} />} {originText(changeSet)}
      </p>
      {truncated && <p>Values are missing: see “truncated” of a change in the documentation.</p>}
      <Members members={members} />
      <p class="muted">
        Change set <code class="id">{changeSet.id}</code>
      </p>
      <TakeBack changeSetId={changeSet.id} recordType={recordType} onDone={onTakenBack} />
    </li>
  );
}

function RecordLink({ id }: { id: string }) {
  return (
    <>
      {' of '}
      <a href={`#/history/${id}`}>{id}</a>
    </>
  );
}
