import { useState } from 'preact/hooks';
import { countText } from '../times.ts';
import { excerpts, isLong, shortened, valueText } from './member-values.ts';
import { differenceOf, type Part } from './text-difference.ts';

export type Member = { path: string; before: string | null; after: string | null };

/** With more members than this, they are shown on request. */
const MAX_OPEN = 10;
/** Members that are shown of a record. The request that the page copies returns all. */
const MAX_MEMBERS = 200;
/** In a difference of which not all was asked for. A plan can have 500 of them, each of some milliseconds. */
const MAX_CHANGED_WORDS = 100;

/** The members that differ, with their old and new values. */
export function Members({ members }: { members: Member[] }) {
  const [isOpen, setOpen] = useState(members.length <= MAX_OPEN);
  if (members.length === 0) return null;
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{countText(members.length, 'member')}</summary>
      {isOpen && <MemberTable members={members.slice(0, MAX_MEMBERS)} />}
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
        {members.map((member) => (
          <tr key={member.path}>
            <th scope="row">{member.path}</th>
            <Values {...member} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The cells of an old and a new value, or one cell with their difference. */
export function Values({ path, before, after }: Member) {
  const [isWhole, setWhole] = useState(false);
  const texts = [valueText(path, before), valueText(path, after)] as const;
  const [old, next] = isWhole ? texts : excerpts(...texts);
  const more = old.length + next.length < texts[0].length + texts[1].length && (
    <button type="button" class="quiet" onClick={() => setWhole(true)}>
      Show all
    </button>
  );
  if (isLong(before, after))
    return (
      <td colSpan={2}>
        <Difference parts={differenceOf(old, next, isWhole ? undefined : MAX_CHANGED_WORDS)} /> {more}
      </td>
    );
  return (
    <>
      <td>{old}</td>
      <td>
        {next} {more}
      </td>
    </>
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
