import type { Attributes, Span, SpanKind, Tracing } from './span.ts';

/**
 * Does work of the service itself, which no request asked for, as a trace of its own. Without `tracing` it only does
 * the work.
 */
export async function inTrace<T>(
  tracing: Tracing | undefined,
  { name, kind, attributes }: { name: string; kind: SpanKind; attributes?: Attributes },
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  if (!tracing) return await work(null);
  const span = tracing.start(name, kind, attributes);
  try {
    const result = await work(span);
    span.end();
    return result;
  } catch (error) {
    span.end({ error: 'failed' });
    throw error;
  }
}
