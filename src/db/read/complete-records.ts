import type { Context } from '../../context.ts';
import { Pauses } from '../../limits/event-loop-slices.ts';
import type { CompiledProjection } from './compile.ts';
import { PlaceholderFilling } from './placeholders.ts';
import type { RecordRow } from './record-rows.ts';
import { SharedRecords } from './shared-records.ts';

/** Completes the rows behind the header. Throws if the records exceed the limit of an answer. */
export async function completedRecords<Type>(
  ctx: Pick<Context, 'responseSize' | 'slices'>,
  compiled: CompiledProjection,
  rows: readonly RecordRow[],
  bytesMax: number,
): Promise<Records<Type>> {
  const shared = rows.slice(0, compiled.shared.length);
  const texts = rows.slice(compiled.shared.length);
  for (const { data, bytes } of shared) if (data === null) ctx.responseSize?.read(bytes, bytesMax);
  ctx.responseSize?.read(
    texts.reduce((sum, { bytes }) => sum + bytes + 1, 1),
    bytesMax,
  );
  const page = new SharedRecords(
    shared.map(({ data }) => data!),
    compiled,
  );
  const stored = texts.map(({ data }) => data!);
  const filled = await filledTexts(ctx, stored, page, (text, data) => {
    // Shared names and computed prices make the text longer than what Postgres sent.
    if (text.length > data.length) ctx.responseSize?.read(text.length - data.length);
  });
  return recordsOf(filled);
}

/**
 * Fills the placeholders of the texts, and yields to the event loop meanwhile: 50,000 computed prices of one product
 * take 0.2 s. `check` is called after each text, and throws if the answer has become too large.
 */
export async function filledTexts(
  ctx: Pick<Context, 'slices'>,
  texts: readonly string[],
  page: SharedRecords,
  check: (filled: string, stored: string) => void,
): Promise<string[]> {
  if (texts.length > 0 && page.hasPreparations) await page.prepare(ctx);
  const filled: string[] = [];
  const pauses = new Pauses(ctx);
  for (const stored of texts) {
    const filling = new PlaceholderFilling(stored, page.fills, page);
    while (!filling.isDone) {
      filling.fillNext();
      if (pauses.isDue()) await pauses.take();
    }
    const { text } = filling;
    check(text, stored);
    filled.push(text);
  }
  return filled;
}

/** The records of a page, with their JSON text. */
export type Records<Type> = { readonly data: Type[]; readonly json: { readonly text: string; readonly bytes: number } };

/** The text is the answer; `data` is parsed on first access, for callers that need values. */
function recordsOf<Type>(texts: readonly string[]): Records<Type> {
  const text = `[${texts.join(',')}]`;
  let parsed: Type[] | undefined;
  return {
    get data() {
      return (parsed ??= JSON.parse(text) as Type[]);
    },
    json: { text, bytes: Buffer.byteLength(text) },
  };
}
