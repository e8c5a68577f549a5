import { countText } from '../times.ts';
import { isLong, shortened, valueText } from './member-values.ts';
import { differenceOf, type Part } from './text-difference.ts';

export type Member = { path: string; before: string | null; after: string | null };

/** With more members than this, they are shown on request. */
const MAX_OPEN = 10;
/** Members that are shown of a record. The request that the page copies returns all. */
const MAX_MEMBERS = 200;

/** The members that differ, with their old and new values. */
export function Members({ members }: { members: Member[] }) {
  if (members.length === 0) return null;
  return (
    <details open={members.length <= MAX_OPEN}>
      <summary>{countText(members.length, 'member')}</summary>
      <MemberTable members={members.slice(0, MAX_MEMBERS)} />
      {members.length > MAX_MEMBERS && <p class="muted">The first {MAX_MEMBERS} are shown.</p>}
    </details>
  );
}

function MemberTable({ members }: { members: Member[] }) {
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
