import type { SQL } from 'drizzle-orm';
import type { Context } from '../../context.ts';
import { Pauses, type SlicedContext } from '../../limits/event-loop-slices.ts';
import type { DatabaseContext } from '../connection/database.ts';
import type { CompiledProjection } from './compile.ts';
import { PlaceholderFilling, SharedRecords } from './placeholders.ts';

/**
 * Placeholders that are filled between two looks at the clock. One takes about half a microsecond; an object with
 * thousands of members, or 200 computed prices, a tenth of a millisecond.
 */
const PLACEHOLDERS_PER_CHECK = 16;

export type ReadContext = Pick<Context, 'db' | 'merchantId' | 'responseSize' | 'slices'>;

/** A row of `recordRows`. `data` is null if the row was not sent because of the limit. */
export type RecordRow = { data: string | null; bytes: number };

/** The rows of a statement. The header comes before `first`. */
type SentRows = { readonly rows: readonly RecordRow[]; readonly first: number };

/**
 * Sends a statement around `recordRows`. The rows are not checked as in `readRows`: all such statements have the same
 * two columns, and reading pages is what the service does most.
 */
export function readRecordRows({ db }: DatabaseContext, statement: SQL): Promise<readonly RecordRow[]> {
  return db.execute<RecordRow>(statement);
}

/** Limit of text sent by one statement. Beyond it, bytes are only counted. */
export function maxSentBytes({ responseSize }: Pick<Context, 'responseSize'>): number {
  return responseSize?.maxSentBytes ?? Number.MAX_SAFE_INTEGER;
}

/** Completes the rows from `first` on, behind the header. Throws if the records exceed the limit of an answer. */
export async function completedRecords<Type>(
  ctx: Pick<Context, 'responseSize' | 'slices'>,
  compiled: CompiledProjection,
  { rows, first }: SentRows,
  bytesMax: number,
): Promise<Records<Type>> {
  const { responseSize } = ctx;
  const shared: string[] = [];
  const stored: string[] = [];
  let sentBytes = 1;
  for (let index = first; index < rows.length; index += 1) {
    const { data, bytes } = rows[index]!;
    const isShared = index < first + compiled.shared.length;
    if (!isShared) sentBytes += bytes + 1;
    else if (data === null) responseSize?.read(bytes, bytesMax);
    (isShared ? shared : stored).push(data!);
  }
  responseSize?.read(sentBytes, bytesMax);
  const page = new SharedRecords(shared, compiled);
  const filled = await filledTexts(ctx, stored, page, (text, data) => {
    // Shared names and computed prices make the text longer than what Postgres sent.
    if (text.length > data.length) responseSize?.read(text.length - data.length);
  });
  return new Records<Type>(filled);
}

/**
 * Fills the placeholders of the texts, and yields to the event loop meanwhile: 50,000 computed prices of one product
 * take 0.2 s. `check` is called after each text, and throws if the answer has become too large.
 */
export async function filledTexts(
  ctx: SlicedContext,
  texts: readonly string[],
  page: SharedRecords,
  check: (filled: string, stored: string) => void,
): Promise<string[]> {
  if (texts.length > 0 && page.preparations.length > 0) await page.prepare(ctx);
  const filled: string[] = [];
  const pauses = new Pauses(ctx);
  for (const stored of texts) {
    const filling = new PlaceholderFilling(stored, page.fills, page);
    while (!filling.fill(PLACEHOLDERS_PER_CHECK)) if (pauses.isDue()) await pauses.take();
    const { text } = filling;
    check(text, stored);
    filled.push(text);
    if (pauses.isDue()) await pauses.take();
  }
  return filled;
}

/** The records of a page. The text is the answer; `data` is parsed on first access, for callers that need values. */
export class Records<Type> {
  readonly json: { readonly text: string; readonly bytes: number };
  #parsed: Type[] | undefined;

  constructor(texts: readonly string[]) {
    // Joined by `join`, the text of each record would be copied once more.
    let text = '[';
    for (const one of texts) text += text.length > 1 ? `,${one}` : one;
    text += ']';
    this.json = { text, bytes: Buffer.byteLength(text) };
  }

  get data(): Type[] {
    return (this.#parsed ??= JSON.parse(this.json.text) as Type[]);
  }
}
