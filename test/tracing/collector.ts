import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
// The messages of the protocol, which OpenTelemetry has generated from its .proto files. Later versions of the package
// have only their encoder, so this is 0.208.0 under a name of its own.
import messages from 'otlp-messages/build/src/generated/root.js';

export type ReceivedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  kind: string;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  status: string;
};

type AnyValue = {
  stringValue?: string | null;
  boolValue?: boolean | null;
  intValue?: number | { toString(): string } | null;
  doubleValue?: number | null;
  arrayValue?: { values: AnyValue[] } | null;
};
type KeyValue = { key: string; value: AnyValue };
type Span = {
  traceId: Uint8Array;
  spanId: Uint8Array;
  parentSpanId: Uint8Array | null;
  name: string;
  kind: number;
  attributes: KeyValue[];
  links: { traceId: Uint8Array; spanId: Uint8Array }[];
  status: { message: string | null } | null;
};
/** The package declares no types for its messages. */
type Messages = {
  opentelemetry: {
    proto: {
      collector: { trace: { v1: { ExportTraceServiceRequest: { decode(message: Uint8Array): ExportRequest } } } };
    };
  };
};
type ExportRequest = {
  resourceSpans: { resource: { attributes: KeyValue[] }; scopeSpans: { spans: Span[] }[] }[];
};

const { ExportTraceServiceRequest } = (messages as unknown as Messages).opentelemetry.proto.collector.trace.v1;

/** Span.SpanKind of opentelemetry/proto/trace/v1. */
const KINDS = ['', 'internal', 'server', 'client', 'producer', 'consumer'];

/** A collector on loopback that takes OTLP over HTTP in protobuf, the encoding of the official exporter. */
export async function openCollector() {
  const spans: ReceivedSpan[] = [];
  const services = new Set<string>();
  const receive = async (request: IncomingMessage): Promise<void> => {
    const sent = await buffer(request);
    const message = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
    for (const { resource, scopeSpans } of ExportTraceServiceRequest.decode(message).resourceSpans) {
      services.add(String(attributesOf(resource.attributes)['service.name']));
      spans.push(...scopeSpans.flatMap((scope) => scope.spans.map(spanOf)));
    }
  };
  const server = createServer((request, response) => {
    if (request.url !== '/v1/traces') return void response.writeHead(404).end();
    receive(request).then(
      () => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end(),
      () => response.writeHead(400).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    spans,
    services,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function spanOf({ traceId, spanId, parentSpanId, name, kind, attributes, links, status }: Span): ReceivedSpan {
  return {
    traceId: hexOf(traceId),
    spanId: hexOf(spanId),
    parentSpanId: hexOf(parentSpanId),
    name,
    kind: KINDS[kind] ?? '',
    attributes: attributesOf(attributes),
    links: links.map((link) => ({ traceId: hexOf(link.traceId), spanId: hexOf(link.spanId) })),
    status: status?.message ?? '',
  };
}

/** The decoder makes null of what a message leaves out. */
function hexOf(bytes: Uint8Array | null): string {
  return bytes === null ? '' : Buffer.from(bytes).toString('hex');
}

function attributesOf(pairs: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, valueOf(value)]));
}

function valueOf({ stringValue, boolValue, intValue, doubleValue, arrayValue }: AnyValue): unknown {
  if (arrayValue) return arrayValue.values.map(valueOf);
  return stringValue ?? boolValue ?? (intValue == null ? (doubleValue ?? null) : Number(intValue));
}
