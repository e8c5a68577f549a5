import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { signatureHeaders, signData } from '../../../src/webhook/sending/signature.ts';

const SECRET = 'client-secret-ğ';
const MINUTE_MS = 60_000;

function verifier(secret: string): Webhook {
  return new Webhook(`whsec_${Buffer.from(secret).toString('base64')}`);
}

test('the data is signed as RFC 4231 computes it, in lower-case hex', () => {
  const expected = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
  expect(signData('what do ya want for nothing?', 'Jefe')).toBe(expected);
});

test('data and secret are signed as UTF-8', () => {
  const expected = createHmac('sha256', Buffer.from(SECRET)).update(Buffer.from('{"name":"Şule 🛍"}')).digest('hex');
  expect(signData('{"name":"Şule 🛍"}', SECRET)).toBe(expected);
});

// docs/reliability-tests.md: 88
test('another implementation of Standard Webhooks verifies it, for any body and secret', () => {
  const secrets = fc.string({ minLength: 1, unit: 'grapheme' });
  fc.assert(
    fc.property(fc.uuid(), fc.json(), secrets, (id, body, secret) => {
      const headers = signatureHeaders(id, new Date(), body, [secret]);
      verifier(secret).verify(body, headers);
      expect(() => verifier(`${secret}x`).verify(body, headers)).toThrow('No matching signature');
    }),
  );
});

// docs/reliability-tests.md: 86
test('a changed id, time or body, and a time that differs by six minutes, are refused', () => {
  const body = '{"id":"1"}';
  const headers = signatureHeaders('1', new Date(), body, [SECRET]);
  const later = String(Number(headers['webhook-timestamp']) + 1);
  const verify = (text: string, given: Record<string, string>) => () => verifier(SECRET).verify(text, given);
  expect(verify(body, headers)).not.toThrow();
  expect(verify('{"id":"2"}', headers)).toThrow('No matching signature');
  expect(verify(body, { ...headers, 'webhook-id': '2' })).toThrow('No matching signature');
  expect(verify(body, { ...headers, 'webhook-timestamp': later })).toThrow('No matching signature');
  for (const shiftMs of [-6 * MINUTE_MS, 6 * MINUTE_MS]) {
    const shifted = signatureHeaders('1', new Date(Date.now() + shiftMs), body, [SECRET]);
    expect(verify(body, shifted)).toThrow(/timestamp too (old|new)/);
  }
});
