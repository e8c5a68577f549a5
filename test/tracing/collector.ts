import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

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

/** Span.SpanKind of opentelemetry/proto/trace/v1. */
const KINDS = ['', 'internal', 'server', 'client', 'producer', 'consumer'];

/** A collector on loopback that takes OTLP over HTTP in protobuf, the encoding of the official exporter. */
export async function openCollector() {
  const spans: ReceivedSpan[] = [];
  const services = new Set<string>();
  const receive = async (request: IncomingMessage): Promise<void> => {
    const sent = await buffer(request);
    const message = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
    // Numbers of fields: opentelemetry/proto/collector/trace/v1 and trace/v1.
    for (const resourceSpans of messages(message, 1)) {
      for (const resource of messages(resourceSpans, 1))
        services.add(String(attributesOf(resource, 1)['service.name']));
      for (const scopeSpans of messages(resourceSpans, 2)) spans.push(...messages(scopeSpans, 2).map(spanOf));
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

function spanOf(span: Buffer): ReceivedSpan {
  return {
    traceId: hexOf(span, 1),
    spanId: hexOf(span, 2),
    parentSpanId: hexOf(span, 4),
    name: messages(span, 5)[0]!.toString(),
    kind: KINDS[numberOf(span, 6)] ?? '',
    attributes: attributesOf(span, 9),
    links: messages(span, 13).map((link) => ({ traceId: hexOf(link, 1), spanId: hexOf(link, 2) })),
    status: messages(messages(span, 15)[0] ?? Buffer.alloc(0), 2)[0]?.toString() ?? '',
  };
}

function numberOf(message: Buffer, number: number): number {
  const field = fieldsOf(message).find((one) => one.number === number);
  return typeof field?.content === 'number' ? field.content : 0;
}

function hexOf(message: Buffer, number: number): string {
  return messages(message, number)[0]?.toString('hex') ?? '';
}

function attributesOf(message: Buffer, number: number): Record<string, unknown> {
  return Object.fromEntries(
    messages(message, number).map((pair) => [messages(pair, 1)[0]!.toString(), valueOf(messages(pair, 2)[0]!)]),
  );
}

/** An AnyValue: text, boolean, integer, or a list of them. */
function valueOf(value: Buffer): unknown {
  const [first] = fieldsOf(value);
  if (!first) return null;
  if (first.number === 5) return messages(first.content as Buffer, 1).map(valueOf);
  return typeof first.content === 'number' ? first.content : first.content.toString();
}

function messages(message: Buffer, number: number): Buffer[] {
  return fieldsOf(message).flatMap((field) =>
    field.number === number && Buffer.isBuffer(field.content) ? [field.content] : [],
  );
}

type Field = { number: number; content: Buffer | number };

/** The wire format of protobuf: varints, fixed 64 and 32 bits, and bytes with their length. */
function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): number => {
    for (let value = 0, factor = 1; ; factor *= 128) {
      const byte = message[at++]!;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  const bytes = (length: number): Buffer => message.subarray(at, (at += length));
  while (at < message.length) {
    const tag = varint();
    const type = tag % 8;
    const content = type === 0 ? varint() : bytes(type === 2 ? varint() : type === 1 ? 8 : 4);
    fields.push({ number: Math.floor(tag / 8), content });
  }
  return fields;
}
