export type SpanKind = 'server' | 'client' | 'consumer' | 'internal';

export type Attributes = Readonly<Record<string, string | number | boolean | string[] | undefined>>;

/**
 * A timed part of a trace. Functions that create spans take the parent span as an argument; without a parent they
 * create none.
 */
export type Span = {
  /** The value of the W3C Trace Context header with which another process continues the trace. */
  readonly traceparent: string;
  /** Starts a span below this one. */
  start(name: string, kind: SpanKind, attributes?: Attributes): Span;
  set(attributes: Attributes): void;
  /**
   * Ends the span. `error` is a short code, never a message, because messages may contain customer data. `name`
   * replaces the name given at the start.
   */
  end(outcome?: { name?: string; attributes?: Attributes; error?: string | null }): void;
};

/** Where a trace comes from, as `traceparent`s. Invalid ones are ignored. */
export type Origin = {
  /** The span that this one is a part of. Without it a new trace begins. */
  readonly parent?: string | undefined;
  /** The span of another trace that caused this one. */
  readonly link?: string | null;
};

export type Tracing = {
  /** Starts a trace, or a span of the trace that `origin.parent` identifies. */
  start(name: string, kind: SpanKind, attributes?: Attributes, origin?: Origin): Span;
  /** Sends the spans that have ended, within a short time limit. */
  close(): Promise<void>;
};
