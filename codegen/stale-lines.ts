import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Element } from './schema-review/elements.ts';

/** A line that codegen would add to a generated file, or remove from it. */
export type StaleLine = {
  readonly sign: '+' | '-';
  /** The line number: of an added line in the new file, of a removed line in the old file. */
  readonly line: number;
  readonly text: string;
  /** The element of the SDL that the line is about; null if the SDL has none any more. */
  readonly element: Element | null;
  /** The name of the element in the generated file; empty if the line names none. */
  readonly name: string;
};

/** The start of a type of types.ts, or of a schema or a list of values that has the name of its type. */
const TYPE_START = /^(?:export )?(?:type (\w+)|const (\w+) = (?:z\.|\[))/;
/** The end of a member in a function of events. */
const EVENT_MEMBER = / as "(\w+)",?$/;

type Elements = ReadonlyMap<string, Element>;

/** Compares a generated file with what the SDL asks for. */
export function staleLines(before: string, after: string, elements: Elements): StaleLine[] {
  const byName = new Map(Array.from(elements.values(), (element) => [element.coordinate.toLowerCase(), element]));
  const texts = { '-': before.split('\n'), '+': after.split('\n') };
  const changed = changedLines(before, after).filter(({ sign, line }) => texts[sign][line - 1]?.trim() !== '');
  return changed.map(({ sign, line }) => {
    const name = nameAt(texts[sign], line - 1);
    return { sign, line, text: texts[sign][line - 1]!, name, element: byName.get(name.toLowerCase()) ?? null };
  });
}

/** The lines of `git diff` without context, which finds the shortest difference. */
function changedLines(before: string, after: string): Pick<StaleLine, 'sign' | 'line'>[] {
  const folder = mkdtempSync(join(tmpdir(), 'codegen-'));
  const [old, current] = [join(folder, 'before'), join(folder, 'after')];
  writeFileSync(old, before);
  writeFileSync(current, after);
  const hunks = diffOf(old, current).matchAll(/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm);
  rmSync(folder, { recursive: true });
  return Array.from(hunks, ([, from, removed = '1', to, added = '1']) => [
    ...Array.from({ length: Number(removed) }, (_, index) => ({ sign: '-' as const, line: Number(from) + index })),
    ...Array.from({ length: Number(added) }, (_, index) => ({ sign: '+' as const, line: Number(to) + index })),
  ]).flat();
}

function diffOf(before: string, after: string): string {
  try {
    return execFileSync('git', ['diff', '--no-index', '--unified=0', before, after], { encoding: 'utf8' });
  } catch (error) {
    // The exit code 1 says that there is a difference.
    const { status, stdout } = error as { status: number; stdout: string };
    if (status === 1) return stdout;
    throw error;
  }
}

/** The coordinate that a line of a generated file is about, but for upper and lower case. */
function nameAt(lines: readonly string[], index: number): string {
  const eventType = /^-- Written by .* from the fields of (\w+) /.exec(lines[0] ?? '')?.[1];
  return eventType ? nameInFunction(eventType, lines, index) : nameInTypes(lines, index);
}

/** A value of an event may have several lines; the last one names the member. */
function nameInFunction(type: string, lines: readonly string[], index: number): string {
  const named = lines.slice(index).find((line) => EVENT_MEMBER.test(line));
  return memberName(type, EVENT_MEMBER.exec(named ?? '')?.[1]);
}

function nameInTypes(lines: readonly string[], index: number): string {
  const at = lines.findIndex((line, position) => position >= index && !/^\s*(\/?\*|$)/.test(line));
  const block = lines.slice(0, at + 1).findLast((line) => TYPE_START.test(line));
  const [, type, constant] = TYPE_START.exec(block ?? '') ?? [];
  const owner = type ?? constant;
  if (owner === undefined) return '';
  return memberName(owner, /^\s+(?:\| ')?(\w+)/.exec(lines[at] ?? '')?.[1]);
}

function memberName(owner: string, member: string | undefined): string {
  const [, root, operation] = /^(Query|Mutation)(\w+)Args$/.exec(owner) ?? [];
  const of = root ? `${root}.${operation}` : owner.replace(/Resolvers$/, '');
  if (/^Resolvers(Parent)?Types$/.test(owner)) return member ?? owner;
  if (member === undefined) return of;
  return root ? `${of}(${member}:)` : `${of}.${member}`;
}
