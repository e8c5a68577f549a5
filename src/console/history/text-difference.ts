export type Part = { kind: 'same' | 'removed' | 'added'; text: string };

/** The maximum of pairs of words that are compared. With more, the whole text is one removed and one added part. */
const MAX_PAIRS = 250_000;

/**
 * What has to be removed from and added to a text, word by word, to get another one. Not by a package, because the
 * console has no other code than its own and Preact.
 */
export function differenceOf(before: string, after: string): Part[] {
  const old = wordsOf(before);
  const now = wordsOf(after);
  const start = commonStart(old, now);
  const end = commonStart(old.slice(start).toReversed(), now.slice(start).toReversed());
  const removed = old.slice(start, old.length - end);
  const added = now.slice(start, now.length - end);
  const words = [
    ...partsOf('same', old.slice(0, start)),
    ...changedWords(removed, added),
    ...partsOf('same', old.slice(old.length - end)),
  ];
  return joined(words);
}

/** Words and the spaces between them. */
function wordsOf(text: string): string[] {
  return text.split(/(\s+)/).filter((word) => word !== '');
}

function commonStart(one: readonly string[], other: readonly string[]): number {
  const different = one.findIndex((word, index) => word !== other[index]);
  return different === -1 ? one.length : different;
}

function changedWords(removed: readonly string[], added: readonly string[]): Part[] {
  if (removed.length * added.length > MAX_PAIRS) return [...partsOf('removed', removed), ...partsOf('added', added)];
  const kept = keptCounts(removed, added);
  const parts: Part[] = [];
  let [from, to] = [0, 0];
  while (from < removed.length && to < added.length) {
    if (removed[from] === added[to]) {
      parts.push({ kind: 'same', text: added[to++]! });
      from++;
    } else if (kept[from + 1]![to]! >= kept[from]![to + 1]!) parts.push({ kind: 'removed', text: removed[from++]! });
    else parts.push({ kind: 'added', text: added[to++]! });
  }
  return [...parts, ...partsOf('removed', removed.slice(from)), ...partsOf('added', added.slice(to))];
}

/** For each pair of places, how many words of the texts from there on can stay: their longest common subsequence. */
function keptCounts(removed: readonly string[], added: readonly string[]): Uint32Array[] {
  const kept = Array.from({ length: removed.length + 1 }, () => new Uint32Array(added.length + 1));
  for (let from = removed.length - 1; from >= 0; from--)
    for (let to = added.length - 1; to >= 0; to--)
      kept[from]![to] =
        removed[from] === added[to]
          ? kept[from + 1]![to + 1]! + 1
          : Math.max(kept[from + 1]![to]!, kept[from]![to + 1]!);
  return kept;
}

function partsOf(kind: Part['kind'], words: readonly string[]): Part[] {
  return words.map((text) => ({ kind, text }));
}

/** Joins neighbouring words of one kind. Where words were replaced, the removed ones come before the added ones. */
function joined(words: readonly Part[]): Part[] {
  const parts: Part[] = [];
  let [removed, added] = ['', ''];
  const endChange = () => {
    if (removed !== '') parts.push({ kind: 'removed', text: removed });
    if (added !== '') parts.push({ kind: 'added', text: added });
    [removed, added] = ['', ''];
  };
  for (const { kind, text } of words) {
    if (kind === 'removed') removed += text;
    else if (kind === 'added') added += text;
    else {
      endChange();
      const last = parts.at(-1);
      if (last?.kind === 'same') last.text += text;
      else parts.push({ kind, text });
    }
  }
  endChange();
  return parts;
}
