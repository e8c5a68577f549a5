import type { Event, History, Members, Read, Walk, Write } from './history.ts';

/** A write, and the event that shows its effect. */
type Placed = { write: Write; event: Event };

/**
 * What the history and the events contradict of what the SDL promises; nothing if all is well. The order of changes is
 * known, by `sequence` of a record's events and `version` of a product, so nothing has to be searched for.
 */
export function contradictions(history: History, events: readonly Event[]): string[] {
  const byRecord = Map.groupBy(events, ({ record }) => record);
  const records = [...byRecord.values()].map((own) => own.toSorted((a, b) => a.sequence - b.sequence));
  const writes = writesByValue(history.writes);
  const found = [...history.unexpected, ...records.flatMap(gaps)];
  const placed = records.map((own) =>
    own.flatMap((event, index) => effectsOf(own[index - 1], event, { writes, found })),
  );
  return [
    ...found,
    ...counts(history.writes, placed.flat()),
    ...placed.flatMap(inOrder),
    ...history.reads.flatMap((read) => misread(read, byRecord.get(read.record) ?? [])),
    ...goneBack(history.reads),
    ...outdated(history.reads, placed.flat()),
    ...history.walks.flatMap(skipped),
  ];
}

/** Each change is one event, and a product's version counts them. */
function gaps(events: readonly Event[]): string[] {
  return events.flatMap(({ record, sequence, version }, index) => [
    ...(sequence === index + 1 ? [] : [`${record}: event ${index + 1} has the sequence ${sequence}`]),
    ...(version === undefined || index === 0 || version === events[index - 1]!.version! + 1
      ? []
      : [`${record}: version ${version} after ${events[index - 1]!.version}`]),
  ]);
}

function writesByValue(writes: readonly Write[]): ReadonlyMap<string, Write> {
  return new Map(
    writes.flatMap((write) => Object.entries(write.changes).map((change) => [change.join(' '), write] as const)),
  );
}

type Known = { writes: ReadonlyMap<string, Write>; found: string[] };

/** The write whose values the record has since this event. What else has changed is a contradiction. */
function effectsOf(before: Event | undefined, event: Event, { writes, found }: Known): Placed[] {
  const changed = Object.entries(event.state).filter(([member, value]) => value !== before?.state[member]);
  const causes = new Set(changed.map((change) => writes.get(change.join(' '))));
  const known = [...causes].filter((write) => write !== undefined);
  const [write] = known;
  const isExplained = known.length <= 1 && (before === undefined || causes.size === known.length);
  if (!isExplained || write?.outcome === 'none')
    found.push(
      `${event.record}: event ${event.sequence} changed ${JSON.stringify(changed)}, written by ${JSON.stringify([...causes])}`,
    );
  if (!write) return [];
  const missing = Object.entries(write.changes).filter(([member, value]) => event.state[member] !== value);
  if (missing.length > 0) found.push(`${event.record}: only a part of ${JSON.stringify(write)} was stored`);
  if (write.version !== undefined && write.version !== event.version)
    found.push(`${event.record}: the version ${event.version} was answered as ${write.version}: ${write.what}`);
  return [{ write, event }];
}

/** What was acknowledged has happened once, and what had no answer at most once. */
function counts(writes: readonly Write[], placed: readonly Placed[]): string[] {
  const times = Map.groupBy(placed, ({ write }) => write);
  return writes.flatMap((write) => {
    const count = times.get(write)?.length ?? 0;
    const isRight = write.outcome === 'done' ? count === 1 : count <= (write.outcome === 'none' ? 0 : 1);
    return isRight ? [] : [`${count} times: ${JSON.stringify(write)}`];
  });
}

/** A write that ended before another one began comes first. */
function inOrder(placed: readonly Placed[]): string[] {
  let firstEnd = Infinity;
  return placed.toReversed().flatMap(({ write }) => {
    const isLate = write.start > firstEnd;
    firstEnd = Math.min(firstEnd, write.end);
    return isLate ? [`before a write that had ended earlier: ${JSON.stringify(write)}`] : [];
  });
}

/** What was read at a version is what the event of this version has. */
function misread({ client, record, version, state }: Read, events: readonly Event[]): string[] {
  const event = events.find((one) => one.version === version);
  if (!event) return [`${client} read ${record} at version ${version}, of which there is no event`];
  return isSame(state, event.state)
    ? []
    : [`${client} read ${JSON.stringify(state)} at version ${version}: ${JSON.stringify(event.state)}`];
}

/** No client reads an older version after a newer one. */
function goneBack(reads: readonly Read[]): string[] {
  const newest = new Map<string, number>();
  return reads
    .toSorted((a, b) => a.start - b.start)
    .flatMap(({ client, record, version }) => {
      const key = `${client} ${record}`;
      const before = newest.get(key) ?? 0;
      newest.set(key, Math.max(before, version));
      return version < before ? [`${client} read ${record} at version ${version} after ${before}`] : [];
    });
}

/** Nothing is read without what had been acknowledged before. */
function outdated(reads: readonly Read[], placed: readonly Placed[]): string[] {
  const acknowledged = Map.groupBy(
    placed.filter(({ write }) => write.outcome === 'done').toSorted((a, b) => a.write.end - b.write.end),
    ({ event }) => event.record,
  );
  const byRecord = Map.groupBy(reads, ({ record }) => record);
  return [...byRecord].flatMap(([record, own]) => {
    const writes = (acknowledged.get(record) ?? []).values();
    let next = writes.next();
    let least = 0;
    return own
      .toSorted((a, b) => a.start - b.start)
      .flatMap((read) => {
        for (; !next.done && next.value.write.end < read.start; next = writes.next())
          least = Math.max(least, next.value.event.version ?? 0);
        return read.version < least ? [`${read.client} read version ${read.version} of ${record} after ${least}`] : [];
      });
  });
}

/** Pages have each record once, and none is left out that was there all the time. */
function skipped({ ids, expected }: Walk): string[] {
  const missing = expected.filter((id) => !ids.includes(id));
  return [
    ...(new Set(ids).size < ids.length ? [`a list has a record twice: ${JSON.stringify(ids)}`] : []),
    ...(missing.length > 0 ? [`a list has skipped ${missing.join(', ')}`] : []),
  ];
}

function isSame(one: Members, other: Members): boolean {
  const members = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...members].every((member) => one[member] === other[member]);
}
