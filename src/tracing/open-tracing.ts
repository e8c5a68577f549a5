import { setTimeout as wait } from 'node:timers/promises';
import type { Span as ApiSpan, Tracer } from '@opentelemetry/api';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import { isMissingPackage, MissingPackageError } from '../installation/missing-package.ts';
import { withoutUser } from '../values/configured-url.ts';
import type { Attributes, Span, SpanKind, Tracing } from './span.ts';

const TRACES_PATH = 'v1/traces';
const CLOSE_TIMEOUT_MS = 3_000;
/** Maximum length of an attribute of a span, in UTF-16 units. Statements of large writes are longer. */
const MAX_ATTRIBUTE_LENGTH = 4_096;
const SERVICE_NAME = 'commerce-administration';
/** A `traceparent` has version, trace id, span id and flags. Ids of zeros are invalid. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;
const FLAGS_LENGTH = 2;

type Packages = Awaited<ReturnType<typeof loadPackages>>;
type Warn = (details: object, message: string) => void;

/**
 * Sends spans to an OpenTelemetry collector at `endpoint`, by OTLP over HTTP, without OpenTelemetry's global registry.
 * Loads the packages only when it is called. They read the other `OTEL_…` variables, such as the sampler and headers.
 */
export async function openTracing(endpoint: string, warn: Warn): Promise<Tracing> {
  const packages = await loadPackages();
  const { BasicTracerProvider, BatchSpanProcessor, resources, OTLPTraceExporter } = packages;
  const url = `${endpoint.replace(/\/+$/, '')}/${TRACES_PATH}`;
  const exporter = reporting(new OTLPTraceExporter({ url }), url, warn);
  const named = resources.resourceFromAttributes({ 'service.name': SERVICE_NAME });
  const fromEnvironment = resources.detectResources({ detectors: [resources.envDetector] });
  const provider = new BasicTracerProvider({
    resource: named.merge(fromEnvironment),
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_LENGTH },
    // The queue of the processor is bounded: if it is full, spans are dropped.
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer(SERVICE_NAME);
  return {
    start: (name, kind, attributes, { parent, link } = {}) =>
      startSpan(packages, tracer, {
        name,
        kind,
        attributes,
        parent: remoteContext(parent),
        link: remoteContext(link),
      }),
    close: async () => {
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        wait(CLOSE_TIMEOUT_MS, undefined, { ref: false }),
      ]);
    },
  };
}

async function loadPackages() {
  try {
    const [api, { BasicTracerProvider, BatchSpanProcessor }, resources, { OTLPTraceExporter }] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-proto'),
    ]);
    return { api, BasicTracerProvider, BatchSpanProcessor, resources, OTLPTraceExporter };
  } catch (error) {
    if (isMissingPackage(error))
      throw new MissingPackageError('OpenTelemetry', ', or unset OTEL_EXPORTER_OTLP_ENDPOINT');
    throw error;
  }
}

type SpanContext = { traceId: string; spanId: string; traceFlags: number };
type Wanted = {
  name: string;
  kind: SpanKind;
  attributes: Attributes | undefined;
  parent: SpanContext | null;
  link?: SpanContext | null;
};

function startSpan(packages: Packages, tracer: Tracer, { name, kind, attributes = {}, parent, link }: Wanted): Span {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = packages.api;
  const kinds = {
    server: SpanKind.SERVER,
    client: SpanKind.CLIENT,
    consumer: SpanKind.CONSUMER,
    internal: SpanKind.INTERNAL,
  };
  const links = link ? [{ context: link }] : [];
  const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
  const span = tracer.startSpan(name, { kind: kinds[kind], attributes: { ...attributes }, links }, context);
  const own = span.spanContext();
  return {
    traceparent: traceparentOf(own),
    start: (child, childKind, childAttributes) =>
      startSpan(packages, tracer, { name: child, kind: childKind, attributes: childAttributes, parent: own }),
    set: (added) => setAttributes(span, added),
    end: (outcome = {}) => {
      if (outcome.name !== undefined) span.updateName(outcome.name);
      setAttributes(span, outcome.attributes ?? {});
      if (outcome.error) span.setStatus({ code: SpanStatusCode.ERROR, message: outcome.error });
      span.end();
    },
  };
}

function setAttributes(span: ApiSpan, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) span.setAttribute(name, value);
}

function remoteContext(traceparent: string | null | undefined): (SpanContext & { isRemote: true }) | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (!traceId || !spanId || !flags) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(FLAGS_LENGTH, '0')}`;
}

/** Warns when spans cannot be sent. Further failures are not reported until spans could be sent again. */
function reporting(exporter: SpanExporter, url: string, warn: Warn): SpanExporter {
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const hasFailed = result.error !== undefined;
        if (hasFailed && !isFailing)
          warn({ url: withoutUser(url), reason: result.error?.message }, 'traces cannot be sent');
        isFailing = hasFailed;
        done(result);
      }),
    shutdown: async () => await exporter.shutdown(),
    forceFlush: async () => await exporter.forceFlush?.(),
  };
}
