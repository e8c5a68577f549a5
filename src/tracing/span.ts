export type SpanKind = 'server' | 'client' | 'producer';

export type Attributes = Readonly<Record<string, string | number | boolean | string[] | undefined>>;

/** A timed part of a trace. Everything that traces takes its parent as an argument; without one nothing is traced. */
export type Span = {
  /** Names it for other processes: the header of W3C Trace Context. */
  readonly traceparent: string;
  /** Begins a part of it. */
  start(name: string, kind: SpanKind, attributes?: Attributes): Span;
  set(attributes: Attributes): void;
  /** `error` is a short code, and never a message, which may contain values. `name` replaces the first one. */
  end(outcome?: { name?: string; attributes?: Attributes; error?: string | null }): void;
};

export type Tracing = {
  /** Begins a trace, or a part of the one that a valid `traceparent` names. */
  start(name: string, kind: SpanKind, attributes?: Attributes, traceparent?: string): Span;
  /** Sends what has ended, for a short time at most. */
  close(): Promise<void>;
};
