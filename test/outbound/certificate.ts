import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

const DAY_MS = 86_400_000;
const ECDSA_WITH_SHA256 = sequence(objectId([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]));

export type Certificate = { readonly cert: string; readonly key: string };

/**
 * An X.509 certificate for a DNS name, signed by `issuer`. Without an issuer it is a self-signed authority. `keyType` is the
 * type of its own key.
 */
export function makeCertificate(
  name: string,
  { issuer, from, to, keyType }: { issuer?: Certificate; from?: Date; to?: Date; keyType?: 'rsa' } = {},
): Certificate {
  const { publicKey, privateKey } = keyType
    ? generateKeyPairSync(keyType, { modulusLength: 2048 })
    : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const signer = issuer === undefined ? privateKey : createPrivateKey(issuer.key);
  const issuerName = issuer === undefined ? name : 'Test authority';
  const body = sequence(
    tagged(0xa0, integer(2)),
    integer(0x10000000 + Math.floor(Math.random() * 0x0fffffff)),
    ECDSA_WITH_SHA256,
    distinguishedName(issuerName),
    sequence(time(from ?? new Date(Date.now() - DAY_MS)), time(to ?? new Date(Date.now() + DAY_MS))),
    distinguishedName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(alternativeName(name), ...(issuer === undefined ? [authority()] : []))),
  );
  return { cert: pem(sequence(body, ECDSA_WITH_SHA256, bitString(signature(body, signer)))), key };
}

export function makeAuthority(): Certificate {
  return makeCertificate('Test authority');
}

function signature(body: Buffer, key: KeyObject): Buffer {
  return sign('sha256', body, key);
}

function pem(der: Buffer): string {
  const lines = der
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

function distinguishedName(name: string): Buffer {
  const commonName = sequence(objectId([0x55, 0x04, 0x03]), tagged(0x0c, Buffer.from(name)));
  return sequence(tagged(0x31, commonName));
}

function alternativeName(name: string): Buffer {
  return sequence(objectId([0x55, 0x1d, 0x11]), tagged(0x04, sequence(tagged(0x82, Buffer.from(name)))));
}

function authority(): Buffer {
  const isAuthority = sequence(tagged(0x01, Buffer.from([0xff])));
  return sequence(objectId([0x55, 0x1d, 0x13]), tagged(0x01, Buffer.from([0xff])), tagged(0x04, isAuthority));
}

function time(at: Date): Buffer {
  return tagged(0x18, Buffer.from(`${at.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`));
}

function integer(value: number): Buffer {
  const hex = value.toString(16);
  return tagged(0x02, Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex'));
}

function objectId(bytes: number[]): Buffer {
  return tagged(0x06, Buffer.from(bytes));
}

function bitString(content: Buffer): Buffer {
  return tagged(0x03, Buffer.concat([Buffer.from([0]), content]));
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
