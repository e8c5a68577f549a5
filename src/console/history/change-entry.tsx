import { type ChangeSet, originText } from '../origin.ts';
import { Status, Time } from '../parts.tsx';
import { countText } from '../times.ts';
import { isLong, shortened, valueText } from './member-values.ts';
import { differenceOf, type Part } from './text-difference.ts';

type Member = { path: string; before: string | null; after: string | null };
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

/** With more members than this, they are shown on request. */
const MAX_OPEN = 10;
/** Members that are shown of a change. The request that the page copies returns all. */
const MAX_MEMBERS = 200;

/** Who changed a record and when, with the old and the new value of each member. */
export function ChangeEntry({ change, isOfOneRecord }: { change: Change; isOfOneRecord: boolean }) {
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
      {members.length > 0 && (
        <details open={members.length <= MAX_OPEN}>
          <summary>{countText(members.length, 'member')}</summary>
          <Members members={members.slice(0, MAX_MEMBERS)} />
          {members.length > MAX_MEMBERS && <p class="muted">The first {MAX_MEMBERS} are shown.</p>}
        </details>
      )}
      <p class="muted">
        Change set <code class="id">{changeSet.id}</code>
      </p>
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

function Members({ members }: { members: Member[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Member</th>
          <th scope="col">Old</th>
          <th scope="col">New</th>
        </tr>
      </thead>
      <tbody>
        {members.map(({ path, before, after }) => (
          <tr key={path}>
            <th scope="row">{path}</th>
            {isLong(before, after) ? (
              <td colSpan={2}>
                <Difference parts={differenceOf(valueText(path, before), valueText(path, after))} />
              </td>
            ) : (
              <>
                <td>{valueText(path, before)}</td>
                <td>{valueText(path, after)}</td>
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Difference({ parts }: { parts: Part[] }) {
  return (
    <>
      {parts.map(({ kind, text }, index) => {
        if (kind === 'removed') return <del key={index}>{text}</del>;
        return kind === 'added' ? <ins key={index}>{text}</ins> : <span key={index}>{shortened(text)}</span>;
      })}
    </>
  );
}
