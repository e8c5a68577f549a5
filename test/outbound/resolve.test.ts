import type { LookupAddress } from 'node:dns';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { failureOf } from '../../src/outbound/failure.ts';
import { allowedAddresses, guardedLookup, hostResolver, type ResolveHost } from '../../src/outbound/resolve.ts';
import { PUBLIC_ADDRESSES, SPECIAL_ADDRESSES } from './addresses.ts';
import { serveNames, type Answer } from './name-server.ts';

const STRICT = { allowHttp: false, allowPrivate: false };

async function outcome(host: string, answers: (name: string, type: 'A' | 'AAAA') => Answer): Promise<unknown> {
  const server = await serveNames(answers);
  return outcomeOf(
    allowedAddresses(
      host,
      hostResolver(STRICT, () => [server.address]),
      STRICT,
    ),
  );
}

function outcomeOf(addresses: Promise<string[]>): Promise<unknown> {
  return addresses.catch((error) => failureOf(error));
}

test('answers with the public addresses of both families, IPv4 first', async () => {
  const addresses = ['1.1.1.1', '8.8.8.8', '2606:4700::1111'];
  expect(await outcome('both.example', () => ({ addresses }))).toEqual(addresses);
  expect(await outcome('four.example', () => ({ addresses: ['1.1.1.1'] }))).toEqual(['1.1.1.1']);
  expect(await outcome('six.example', () => ({ addresses: ['2606:4700::1111'] }))).toEqual(['2606:4700::1111']);
});

test('a name with a private address among public ones is refused', async () => {
  expect(await outcome('a.example', () => ({ addresses: ['1.1.1.1', '127.0.0.1'] }))).toBe('refused address');
  expect(await outcome('b.example', () => ({ addresses: ['1.1.1.1', '::1'] }))).toBe('refused address');
  expect(await outcome('c.example', () => ({ addresses: ['10.0.0.1', '2606:4700::1111'] }))).toBe('refused address');
});

// docs/reliability-tests.md: 71
test('an alias to a name with a private address is refused', async () => {
  const answers = (): Answer => ({ alias: 'metadata.google.internal', addresses: ['169.254.169.254'] });
  expect(await outcome('innocent.example', answers)).toBe('refused address');
});

// docs/reliability-tests.md: 77
test('a private address behind thousands of public ones is found', async () => {
  const many = Array.from({ length: 3_000 }, (_, index) => `8.8.${index >> 8}.${index & 255}`);
  expect(await outcome('many.example', () => ({ addresses: many }))).toEqual(many.slice(0, 8));
  expect(await outcome('many.example', () => ({ addresses: [...many, '10.0.0.1'] }))).toBe('refused address');
});

// docs/reliability-tests.md: 77
test('a name that is unknown or without addresses fails as dns', async () => {
  expect(await outcome('unknown.example', () => ({ unknown: true }))).toBe('dns');
  expect(await outcome('empty.example', () => ({ addresses: [] }))).toBe('dns');
});

// docs/reliability-tests.md: 77
test('a name server that never answers costs at most four seconds', async () => {
  const startedAtMs = performance.now();
  expect(await outcome('silent.example', () => 'silence')).toBe('dns');
  expect(performance.now() - startedAtMs).toBeLessThan(4_500);
});

test('a slow name server is waited for as long as at first, also after quick answers', async () => {
  let knownAtMs = 0;
  // As a name server that asks others: later queries are answered together with the first one.
  const answers = (name: string): Answer => {
    if (!name.startsWith('slow')) return { addresses: ['1.1.1.1'] };
    knownAtMs ||= performance.now() + 2_300;
    return { addresses: ['1.1.1.1'], delayMs: Math.max(0, knownAtMs - performance.now()) };
  };
  const { address } = await serveNames(answers);
  const resolve = hostResolver(STRICT, () => [address]);
  for (let name = 0; name < 30; name++) await resolve(`quick${name}.example`);
  expect(await resolve('slow.example')).toEqual(['1.1.1.1']);
});

// docs/reliability-tests.md: 77
test('other name servers of the machine are asked when those it had do not answer', async () => {
  const server = await serveNames(() => ({ addresses: ['1.1.1.1'] }));
  let servers = ['127.0.0.1:1'];
  const resolve = hostResolver(STRICT, () => servers);
  servers = [server.address];
  await expect.poll(async () => await resolve('moved.example')).toEqual(['1.1.1.1']);
});

test('a name server that answers for one family only is enough', async () => {
  const answers = (_name: string, type: 'A' | 'AAAA'): Answer =>
    type === 'A' ? { addresses: ['1.1.1.1'] } : { unknown: true };
  expect(await outcome('half.example', answers)).toEqual(['1.1.1.1']);
});

// docs/reliability-tests.md: 71
test('in 1,000 lookups of a name whose address changes, a socket never gets a private address', async () => {
  let queries = 0;
  const server = await serveNames((_name, type) => {
    queries += 1;
    const isPrivate = queries % 7 < 2;
    return {
      addresses: [isPrivate ? (type === 'A' ? '127.0.0.1' : '::1') : type === 'A' ? '1.1.1.1' : '2606:4700::1'],
    };
  });
  const lookup = guardedLookup(
    hostResolver(STRICT, () => [server.address]),
    STRICT,
  );
  const handed: string[] = [];
  let refused = 0;
  for (let tries = 0; tries < 1_000; tries += 1) {
    await lookUp(lookup, `try${tries}.example`).then(
      (answers) => handed.push(...answers.map(({ address }) => address)),
      () => (refused += 1),
    );
  }
  expect(new Set(handed)).toEqual(new Set(['1.1.1.1', '2606:4700::1']));
  expect(refused).toBeGreaterThan(300);
});

test('for any answers, either all are public or none is used, after one resolution', async () => {
  const answer = fc.array(fc.constantFrom(...PUBLIC_ADDRESSES, ...SPECIAL_ADDRESSES), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(answer, async (addresses) => {
      let resolutions = 0;
      const resolveHost: ResolveHost = async () => {
        resolutions += 1;
        return resolutions === 1 ? addresses : ['127.0.0.1'];
      };
      const handed = await lookUp(guardedLookup(resolveHost, STRICT), 'any.example').catch(() => null);
      const allPublic = addresses.every((address) => PUBLIC_ADDRESSES.includes(address));
      expect(handed?.map(({ address }) => address) ?? null).toEqual(allPublic ? addresses : null);
      expect(resolutions).toBe(1);
    }),
    { numRuns: 1_000 },
  );
});

test('a lookup for one address returns the first', async () => {
  const lookup = guardedLookup(async () => ['1.1.1.1', '8.8.8.8'], STRICT);
  const answer = await new Promise((resolve) => {
    lookup('one.example', { all: false }, (error, address, family) => resolve([error, address, family]));
  });
  expect(answer).toEqual([null, '1.1.1.1', 4]);
});

test('localhost has its addresses if private ones are allowed', async () => {
  const policy = { allowHttp: true, allowPrivate: true };
  expect(await allowedAddresses('localhost', hostResolver(policy), policy)).toContain('127.0.0.1');
});

function lookUp(lookup: ReturnType<typeof guardedLookup>, host: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error, addresses) => {
      if (error) {
        reject(error);
      } else {
        resolve(addresses as LookupAddress[]);
      }
    });
  });
}
