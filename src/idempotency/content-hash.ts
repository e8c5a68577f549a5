import { createHash } from 'node:crypto';
import { Pauses, type SlicedContext } from '../limits/event-loop-slices.ts';

/** Tokens between two checks whether a pause is due. */
const TOKENS_PER_CHECK = 256;

/**
 * SHA-256 of a JSON value, in lower-case hex. The order of an object's members does not matter, since many clients do
 * not keep it. Uses a stack instead of recursion, so that deep values cannot exhaust the call stack.
 */
export async function contentHash(value: unknown, ctx: SlicedContext = {}): Promise<string> {
  const hash = createHash('sha256');
  const stack: Token[] = [{ value }];
  const pauses = new Pauses(ctx);
  for (let token = stack.pop(), count = 0; token; token = stack.pop(), count++) {
    if (count % TOKENS_PER_CHECK === 0 && pauses.isDue()) await pauses.take();
    if ('text' in token) hash.update(token.text);
    else if (Array.isArray(token.value)) pushList(stack, token.value);
    else if (typeof token.value === 'object' && token.value !== null) pushObject(stack, token.value);
    else hash.update(JSON.stringify(token.value));
  }
  return hash.digest('hex');
}

type Token = { text: string } | { value: unknown };

/** Pushed in reverse order, because the stack is read from its end. */
function pushList(stack: Token[], entries: readonly unknown[]): void {
  stack.push({ text: ']' });
  for (const value of entries.toReversed()) stack.push({ text: ',' }, { value });
  stack.push({ text: '[' });
}

function pushObject(stack: Token[], record: object): void {
  stack.push({ text: '}' });
  const members = Object.entries(record).sort(([one], [other]) => (one < other ? 1 : -1));
  for (const [name, value] of members) stack.push({ text: ',' }, { value }, { text: `${JSON.stringify(name)}:` });
  stack.push({ text: '{' });
}
