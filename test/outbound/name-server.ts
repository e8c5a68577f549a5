import { createSocket } from 'node:dgram';
import { createServer, isIP, type AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach } from 'vitest';

const TYPE_A = 1;
const TYPE_CNAME = 5;
const TYPE_AAAA = 28;
const NXDOMAIN = 3;
const MAX_DATAGRAM_BYTES = 512;

export type Answer = { addresses?: string[]; alias?: string; unknown?: boolean; delayMs?: number } | 'silence';

const open = new Set<() => void>();

/** A name server on loopback over UDP and TCP. Closed after the test. */
export async function serveNames(
  answer: (name: string, type: 'A' | 'AAAA') => Answer,
): Promise<{ address: string; readonly queries: () => number }> {
  let queries = 0;
  async function respond(query: Buffer): Promise<Buffer | null> {
    queries += 1;
    const { name, type, questionEnd } = readQuestion(query);
    const given = answer(name, type === TYPE_AAAA ? 'AAAA' : 'A');
    if (given === 'silence') return null;
    await setTimeout(given.delayMs ?? 0);
    return writeResponse(query, questionEnd, type, given);
  }

  const tcp = createServer((socket) => {
    socket.on('error', () => {});
    async function answerStream(data: Buffer): Promise<void> {
      const response = await respond(data.subarray(2));
      const length = Buffer.alloc(2);
      length.writeUInt16BE(response?.length ?? 0);
      socket.write(Buffer.concat([length, response ?? Buffer.alloc(0)]));
    }
    socket.on('data', (data: Buffer) => void answerStream(data));
  });
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket('udp4');
  async function answerDatagram(query: Buffer, replyPort: number): Promise<void> {
    const response = await respond(query);
    if (response !== null) {
      udp.send(response.length > MAX_DATAGRAM_BYTES ? truncated(response, query) : response, replyPort, '127.0.0.1');
    }
  }
  udp.on('message', (query, { port: replyPort }) => void answerDatagram(query, replyPort));
  await new Promise<void>((resolve) => udp.bind(port, '127.0.0.1', resolve));
  open.add(() => {
    udp.close();
    tcp.close();
  });
  return { address: `127.0.0.1:${port}`, queries: () => queries };
}

afterEach(() => {
  open.forEach((close) => close());
  open.clear();
});

function readQuestion(query: Buffer): { name: string; type: number; questionEnd: number } {
  const labels: string[] = [];
  let at = 12;
  while (query[at] !== 0) {
    const end = at + 1 + query[at]!;
    labels.push(query.toString('latin1', at + 1, end));
    at = end;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), questionEnd: at + 5 };
}

function writeResponse(query: Buffer, questionEnd: number, type: number, answer: Exclude<Answer, 'silence'>): Buffer {
  const records: Buffer[] = [];
  // The first record has the name of the question; later ones have the name of the alias.
  let owner: Buffer = Buffer.from([0xc0, 12]);
  if (answer.alias !== undefined) {
    const target = writeName(answer.alias);
    records.push(writeRecord(owner, TYPE_CNAME, target));
    owner = target;
  }
  const addresses = (answer.addresses ?? []).filter((address) => (isIP(address) === 6) === (type === TYPE_AAAA));
  for (const address of addresses) {
    records.push(writeRecord(owner, type, type === TYPE_A ? ipv4Bytes(address) : ipv6Bytes(address)));
  }
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (answer.unknown ? NXDOMAIN : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, query.subarray(12, questionEnd), ...records]);
}

function writeRecord(owner: Buffer, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([owner, fixed, data]);
}

function writeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from(String.fromCharCode(label.length) + label, 'latin1'));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function truncated(response: Buffer, query: Buffer): Buffer {
  const header = Buffer.from(response.subarray(0, 12));
  header.writeUInt16BE(0x8380, 2);
  header.writeUInt16BE(0, 6);
  return Buffer.concat([header, query.subarray(12, readQuestion(query).questionEnd)]);
}

function ipv4Bytes(address: string): Buffer {
  return Buffer.from(address.split('.').map(Number));
}

function ipv6Bytes(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::');
  const start = head.split(':').filter(Boolean);
  const end = tail.split(':').filter(Boolean);
  const middle = Array<string>(8 - start.length - end.length).fill('0');
  return Buffer.from([...start, ...middle, ...end].map((group) => group.padStart(4, '0')).join(''), 'hex');
}
