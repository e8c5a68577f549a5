import { randomInt } from 'node:crypto';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeImage, MAX_IMAGE_BYTES } from '../../src/image/decode.ts';
import { openDecoder, type Decoder } from '../../src/image/decoder.ts';
import { silent } from './log.ts';
import { gif, noise, picture, pngChunk, withJpegSegment, withPngChunks } from './pictures.ts';

/** Damages of a file in each format, other ones in each run: at other bytes, and at more or fewer. */
const DAMAGES = 15;
const MAX_ATTEMPT = 40;

let decoder: Decoder;
beforeAll(() => {
  decoder = openDecoder(silent);
});
afterAll(() => decoder.close());

const decode = (bytes: Buffer) => decodeImage({ merchantId: 'a', decoder }, bytes, ['productImage', 'base64']);
const refused = (message: RegExp) => ({
  code: 'ARGUMENT_VALIDATION_ERROR',
  extensions: { issues: [{ path: ['productImage', 'base64'], message: expect.stringMatching(message) }] },
});

describe('the five formats', () => {
  it.each([
    ['a JPEG stays JPEG', () => picture(60, 40).jpeg(), 'image/jpeg'],
    ['a progressive JPEG stays JPEG', () => picture(60, 40).jpeg({ progressive: true }), 'image/jpeg'],
    ['a grey JPEG stays JPEG', () => picture(60, 40).greyscale().jpeg(), 'image/jpeg'],
    ['a PNG stays lossless', () => picture(60, 40).png(), 'image/png'],
    ['an interlaced PNG stays lossless', () => picture(60, 40).png({ progressive: true }), 'image/png'],
    ['a PNG with a palette stays lossless', () => picture(60, 40).png({ palette: true }), 'image/png'],
    ['a GIF becomes PNG', () => picture(60, 40).gif(), 'image/png'],
    ['an opaque WebP becomes JPEG', () => picture(60, 40).webp(), 'image/jpeg'],
    ['a lossless WebP becomes JPEG', () => picture(60, 40).webp({ lossless: true }), 'image/jpeg'],
    ['a transparent WebP stays WebP', () => picture(60, 40, 4).webp(), 'image/webp'],
    ['an AVIF becomes JPEG', () => picture(60, 40).avif({ effort: 0 }), 'image/jpeg'],
    ['a transparent AVIF becomes WebP', () => picture(60, 40, 4).avif({ effort: 0 }), 'image/webp'],
  ])('%s', async (_, source, contentType) => {
    const original = await decode(await source().toBuffer());
    expect(original).toMatchObject({ contentType, width: 60, height: 40 });
    const { format, width, height } = await sharp(original.bytes).metadata();
    expect({ type: `image/${format}`, width, height }).toEqual({ type: contentType, width: 60, height: 40 });
  });

  it('keeps the pixels of a PNG to the last bit', async () => {
    const source = await noise(64, 64).png().toBuffer();
    const { bytes } = await decode(source);
    expect(await sharp(bytes).raw().toBuffer()).toEqual(await sharp(source).raw().toBuffer());
  });

  it('does not count the scans of a thumbnail in a JPEG', async () => {
    const scans = Buffer.from('ffda0002'.repeat(100), 'hex');
    const source = withJpegSegment(await picture(60, 40).jpeg().toBuffer(), 0xe1, scans);
    expect(await decode(source)).toMatchObject({ contentType: 'image/jpeg', width: 60, height: 40 });
  });

  it('keeps transparency', async () => {
    const { bytes } = await decode(await picture(20, 20, 4).png().toBuffer());
    const pixels = await sharp(bytes).raw().toBuffer();
    expect(pixels[3]).toBe(128);
  });

  it('turns a transparent picture too large for a WebP original into PNG', async () => {
    const original = await decode(await picture(4_000, 3_000, 4).webp({ effort: 0 }).toBuffer());
    expect(original).toMatchObject({ contentType: 'image/png', width: 4_000, height: 3_000 });
  });

  it('accepts a strip longer than WebP allows', async () => {
    const original = await decode(await picture(20_000, 2).jpeg().toBuffer());
    expect(original).toMatchObject({ contentType: 'image/jpeg', width: 20_000, height: 2 });
  });

  it('accepts exactly 40 megapixels and not one row more', async () => {
    const original = await decode(await picture(8_000, 5_000).jpeg().toBuffer());
    expect(original).toMatchObject({ width: 8_000, height: 5_000 });
    await expect(decode(await picture(8_000, 5_001).jpeg().toBuffer())).rejects.toMatchObject(
      refused(/8000 × 5001 .* 40 megapixels/),
    );
  });
});

describe('pictures of cameras and programs', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('are rotated upright from orientation %i', async (orientation) => {
    const upright = sharp(await quarters());
    const turned = await sharp(await inverse(upright, orientation).png().toBuffer())
      .withMetadata({ orientation })
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .toBuffer();
    const original = await decode(turned);
    expect(original).toMatchObject({ width: 48, height: 32 });
    const corners = await cornersOf(original.bytes);
    expect(corners).toEqual(['red', 'green', 'blue', 'white']);
    expect(await sharp(original.bytes).metadata()).not.toHaveProperty('orientation');
  });

  // docs/reliability-tests.md: 62
  it('are converted from CMYK to sRGB', async () => {
    const source = await picture(40, 40).toColourspace('cmyk').jpeg().toBuffer();
    expect((await sharp(source).metadata()).space).toBe('cmyk');
    const { bytes } = await decode(source);
    expect(await sharp(bytes).metadata()).toMatchObject({ space: 'srgb', channels: 3 });
    const [red, green, blue] = await sharp(bytes).raw().toBuffer();
    expect([red! > 170, green! < 120, blue! < 90]).toEqual([true, true, true]);
  });

  it('are converted from sixteen bits to eight', async () => {
    const source = await picture(40, 40).toColourspace('rgb16').png().toBuffer();
    expect((await sharp(source).metadata()).depth).toBe('ushort');
    const { bytes } = await decode(source);
    expect((await sharp(bytes).metadata()).depth).toBe('uchar');
  });

  it('are converted from a wide gamut to sRGB, without the profile', async () => {
    const source = await picture(40, 40).withIccProfile('p3').jpeg({ quality: 100 }).toBuffer();
    expect((await sharp(source).metadata()).hasProfile).toBe(true);
    const { bytes } = await decode(source);
    expect((await sharp(bytes).metadata()).hasProfile).toBe(false);
    const [red, green, blue] = await sharp(bytes).raw().toBuffer();
    expect([Math.abs(red! - 200) < 6, Math.abs(green! - 80) < 6, Math.abs(blue! - 40) < 6]).toEqual([true, true, true]);
  });

  it('lose their metadata, such as place and author', async () => {
    const exif = { IFD0: { Artist: 'Ada Lovelace', Copyright: 'mine' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } };
    const source = await picture(40, 40)
      .withExif(exif)
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">Ada</x:xmpmeta>')
      .jpeg()
      .toBuffer();
    const { bytes } = await decode(source);
    const metadata = await sharp(bytes).metadata();
    expect([metadata.exif, metadata.xmp, metadata.icc]).toEqual([undefined, undefined, undefined]);
    expect(Buffer.from(bytes).includes('Ada')).toBe(false);
  });

  it('are the first frame of an animation', async () => {
    const frames = Buffer.concat([Buffer.alloc(30 * 30 * 3, 255), Buffer.alloc(30 * 30 * 3, 0)]);
    const animation = () => sharp(frames, { raw: { width: 30, height: 60, channels: 3, pageHeight: 30 } });
    for (const source of [await animation().gif().toBuffer(), await animation().webp().toBuffer()]) {
      expect((await sharp(source).metadata()).pages).toBe(2);
      const original = await decode(source);
      expect(original).toMatchObject({ width: 30, height: 30 });
      expect((await sharp(original.bytes).raw().toBuffer())[0]).toBeGreaterThan(250);
    }
  });
});

describe('decoding of other files', () => {
  // docs/reliability-tests.md: 61
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['one byte', Buffer.from([0xff])],
    ['text', Buffer.from('hello')],
    ['HTML named as a picture', Buffer.from('<!doctype html><img src=x onerror=alert(1)>')],
    [
      'SVG',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'),
    ],
    [
      'SVG behind a byte order mark',
      Buffer.from('\ufeff<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
    ],
    ['PDF', Buffer.from('%PDF-1.7\n%\xff\xff\xff\xff\n')],
    ['a ZIP archive', Buffer.from('504b0506000000000000000000000000000000000000', 'hex')],
    ['BMP', Buffer.from('424d3a0000000000000036000000280000000100000001000000010018', 'hex')],
    ['an icon', Buffer.from('00000100010010100000010020006804000016000000', 'hex')],
    ['a portable pixmap', Buffer.from('P6 1 1 255\n\0\0\0')],
    ['JPEG 2000', Buffer.from('0000000c6a5020200d0a870a00000014667479706a703220', 'hex')],
    ['JPEG XL', Buffer.from('ff0a7f', 'hex')],
    ['HEIC', Buffer.concat([Buffer.from('00000018', 'hex'), Buffer.from('ftypheic\0\0\0\0mif1heic', 'latin1')])],
  ])('refuses %s', async (_, bytes) => {
    await expect(decode(bytes)).rejects.toMatchObject(refused(/must be a JPEG, PNG, WebP, GIF or AVIF/));
  });

  it('refuses TIFF, which sharp could read', async () => {
    await expect(decode(await picture(20, 20).tiff().toBuffer())).rejects.toMatchObject(refused(/must be a JPEG/));
  });

  it('refuses 20 MB and one byte', async () => {
    const bytes = withPngChunks(await picture(9, 9).png().toBuffer());
    const filler = (size: number) => withPngChunks(bytes, pngChunk('fiLl', Buffer.alloc(size - bytes.length - 12)));
    expect(filler(MAX_IMAGE_BYTES)).toHaveLength(20 * 1024 * 1024);
    await expect(decode(filler(MAX_IMAGE_BYTES))).resolves.toMatchObject({ width: 9 });
    await expect(decode(filler(MAX_IMAGE_BYTES + 1))).rejects.toMatchObject(refused(/at most 20 MB/));
  });
});

describe('a damaged file', () => {
  const sources: [string, () => Promise<Buffer>][] = [
    ['JPEG', () => noise(300, 300).jpeg().toBuffer()],
    ['progressive JPEG', () => noise(300, 300).jpeg({ progressive: true }).toBuffer()],
    ['PNG', () => noise(300, 300).png().toBuffer()],
    ['WebP', () => noise(300, 300).webp().toBuffer()],
    ['GIF', () => noise(300, 300).gif().toBuffer()],
    ['AVIF', () => noise(300, 300).avif({ effort: 0 }).toBuffer()],
  ];

  // docs/reliability-tests.md: 62
  it.each(sources)('of the format %s is refused if its end is missing', async (_, source) => {
    const whole = await source();
    for (const share of [0.02, 0.3, 0.6, 0.9]) {
      await expect(decode(whole.subarray(0, whole.length * share))).rejects.toMatchObject(refused(/damaged/));
    }
  });

  // docs/reliability-tests.md: 62
  it.each(sources)(
    'of the format %s with wrong bytes is decoded or refused, and always gets an answer',
    async (_, source) => {
      const whole = await source();
      for (let count = 0; count < DAMAGES; count += 1) {
        const attempt = randomInt(MAX_ATTEMPT);
        const damaged = Buffer.from(whole);
        for (let at = (attempt * 37) % 97; at < damaged.length; at += 97 + attempt * 41) {
          damaged[at] = (damaged[at]! + 1 + attempt * 7) & 255;
        }
        const outcome = await decode(damaged).then(
          ({ width }) => width > 0,
          ({ code }: { code: string }) => code === 'ARGUMENT_VALIDATION_ERROR',
        );
        expect(outcome, `attempt ${attempt}`).toBe(true);
      }
    },
  );

  it('leaves a decoder that decodes the next picture', async () => {
    await expect(decode(gif(5, 5, 1))).resolves.toMatchObject({ contentType: 'image/png' });
  });
});

/** A picture with red and green above blue and white. */
function quarters(): Promise<Buffer> {
  const pixels = Buffer.from('ff000000ff000000ffffffff', 'hex');
  return sharp(pixels, { raw: { width: 2, height: 2, channels: 3 } })
    .resize(48, 32, { kernel: 'nearest', fit: 'fill' })
    .png()
    .toBuffer();
}

/** Applies the inverse of the transformation for this orientation. */
function inverse(upright: Sharp, orientation: number): Sharp {
  switch (orientation) {
    case 2:
      return upright.flop();
    case 3:
      return upright.rotate(180);
    case 4:
      return upright.flip();
    case 5:
      return upright.rotate(270).flop();
    case 6:
      return upright.rotate(270);
    case 7:
      return upright.rotate(90).flop();
    case 8:
      return upright.rotate(90);
    default:
      return upright;
  }
}

async function cornersOf(bytes: Uint8Array): Promise<string[]> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const names: Record<string, string> = { '100': 'red', '010': 'green', '001': 'blue', '111': 'white' };
  const at = (x: number, y: number) =>
    names[[0, 1, 2].map((band) => (data[(y * info.width + x) * info.channels + band]! > 127 ? '1' : '0')).join('')]!;
  return [at(2, 2), at(info.width - 3, 2), at(2, info.height - 3), at(info.width - 3, info.height - 3)];
}
