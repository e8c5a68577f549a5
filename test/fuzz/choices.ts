import fc, { type GeneratorValue } from 'fast-check';

const TOKENS = [
  '{',
  '}',
  '(',
  ')',
  '[',
  ']',
  ':',
  '!',
  '...',
  '"',
  '"""',
  '\\',
  '$',
  '@',
  '|',
  '&',
  '#',
  ',',
  '-',
  '\0',
  '\ufeff',
  '\ud800',
  '\u2028',
  '1e999',
  '1e-400',
  '{'.repeat(2_000),
  '__proto__',
  'null',
];

/** Random decisions of a generator. fast-check draws them, so that a seed repeats them. */
export type Choices = {
  draw: GeneratorValue;
  /** True in `percent` of the cases. */
  chance: (percent: number) => boolean;
  upTo: (max: number) => number;
  oneOf: <T>(...values: readonly T[]) => T;
};

export function choices(draw: GeneratorValue): Choices {
  const upTo = (max: number): number => draw(evenly, max);
  return {
    draw,
    upTo,
    chance: (percent) => upTo(99) < percent,
    oneOf: (...values) => values[upTo(values.length - 1)]!,
  };
}

/** Without fast-check's preference for the smallest and largest numbers, which suits values but not decisions. */
function evenly(max: number) {
  return fc.noBias(fc.nat(max));
}

/** The text with one to three parts deleted, doubled or overwritten. */
export function spoiled({ upTo, oneOf }: Choices, text: string): string {
  let result = text;
  for (let count = upTo(2); count >= 0; count--) {
    const at = upTo(Math.max(0, result.length - 1));
    const end = Math.min(result.length, at + upTo(oneOf(1, 8, 200)));
    const between = oneOf('', oneOf(...TOKENS), result.slice(at, end).repeat(2));
    result = result.slice(0, at) + between + result.slice(end);
  }
  return result;
}

/** Does the same with bytes, and also inverts bits. */
export function spoiledBytes({ upTo, oneOf, chance }: Choices, bytes: Buffer): Buffer {
  const result = Buffer.from(bytes);
  for (let count = upTo(3); count >= 0 && result.length > 0; count--)
    result[upTo(result.length - 1)]! ^= oneOf(1, 32, 128, 255);
  if (chance(50)) return result;
  const at = upTo(result.length);
  return Buffer.concat([
    result.subarray(0, at),
    Buffer.from(oneOf([0], [0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xef, 0xbb, 0xbf], [34], [92])),
    result.subarray(at + upTo(5)),
  ]);
}
