import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

// Creates valid pictures with sharp, and invalid ones byte by byte.

export function picture(width: number, height: number, channels: 3 | 4 = 3) {
  return sharp({
    create: { width, height, channels, background: { r: 200, g: 80, b: 40, alpha: channels === 4 ? 0.5 : 1 } },
  });
}

/** Random pixels: incompressible, and different each time. */
export function noise(width: number, height: number) {
  return sharp({
    create: { width, height, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  });
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

type PngOptions = {
  width: number;
  height: number;
  depth?: number;
  colour?: number;
  interlaced?: boolean;
  before?: Buffer[];
  data: Buffer;
};

/** A PNG, by default grey with eight bits. `before`: chunks between the header and the pixels. */
export function png({
  width,
  height,
  depth = 8,
  colour = 0,
  interlaced = false,
  before = [],
  data,
}: PngOptions): Buffer {
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([depth, colour, 0, 0, interlaced ? 1 : 0])]);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    ...before,
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Inserts chunks after the header of a PNG. */
export function withPngChunks(whole: Buffer, ...chunks: Buffer[]): Buffer {
  const headerEnd = 33;
  return Buffer.concat([whole.subarray(0, headerEnd), ...chunks, whole.subarray(headerEnd)]);
}

/** Compressed zeros, which take a thousandth of their decompressed size. */
export function deflatedZeros(bytes: number): Buffer {
  return deflateSync(Buffer.alloc(bytes), { level: 9 });
}

const GIF_FRAME = Buffer.from('21f9040001000000' + '2c00000000010001000002024401' + '00', 'hex');

export function gif(width: number, height: number, frames: number, extension: Buffer = Buffer.alloc(0)): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(width, 0);
  size.writeUInt16LE(height, 2);
  const head = [Buffer.from('GIF89a'), size, Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255]), extension];
  return Buffer.concat([...head, ...Array.from({ length: frames }, () => GIF_FRAME), Buffer.from([0x3b])]);
}

/** An extension block of a GIF; 0xfe is a comment. */
export function gifExtension(label: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x21, label, data.length]), data, Buffer.from([0])]);
}

/** Inserts a segment after the start of a JPEG. */
export function withJpegSegment(jpeg: Buffer, marker: number, data: Buffer): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), jpegSegment(marker, data), jpeg.subarray(2)]);
}

function jpegSegment(marker: number, data: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(data.length + 2);
  return Buffer.concat([Buffer.from([0xff, marker]), length, data]);
}

export function jpegOfClaimedSize(jpeg: Buffer, width: number, height: number): Buffer {
  const claimed = Buffer.from(jpeg);
  const frame = claimed.findIndex((byte, at) => byte === 0xff && [0xc0, 0xc2].includes(claimed[at + 1]!));
  claimed.writeUInt16BE(height, frame + 5);
  claimed.writeUInt16BE(width, frame + 7);
  return claimed;
}

/**
 * A grey progressive JPEG with hundreds of scans: each scan has one bit of one of the 63 coefficients, and takes only a
 * few bytes, because all blocks are empty.
 */
export function jpegOfManyScans(width: number, height: number, count = 883): Buffer {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const frame = Buffer.from([8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]);
  const table = (tableClass: number, symbol: number) =>
    jpegSegment(0xc4, Buffer.from([tableClass << 4, 1, ...Array.from({ length: 15 }, () => 0), symbol]));
  const scan = (coefficient: number, high: number, low: number) =>
    jpegSegment(0xda, Buffer.from([1, 1, 0, coefficient, coefficient, (high << 4) | low]));
  const highestBit = 13;
  const scans = Array.from({ length: count - 1 }, (_, index) => {
    const low = highestBit - (index % (highestBit + 1));
    return [scan(1 + Math.floor(index / (highestBit + 1)), low === highestBit ? 0 : low + 1, low), emptyBlocks(blocks)];
  });
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)])),
    jpegSegment(0xc2, frame),
    table(0, 0),
    table(1, 0xe0),
    scan(0, 0, 0),
    Buffer.alloc(Math.ceil(blocks / 8)),
    ...scans.flat(),
    Buffer.from([0xff, 0xd9]),
  ]);
}

// The only symbol of the table is a run of 2^14 empty blocks, plus the number in the next 14 bits.
function emptyBlocks(count: number): Buffer {
  const runs = Array.from({ length: Math.ceil(count / 32_767) }, (_, index) =>
    Math.min(count - index * 32_767, 32_767),
  );
  const bits = runs
    .map(
      (run) =>
        `0${Math.max(run - 16_384, 0)
          .toString(2)
          .padStart(14, '0')}`,
    )
    .join('');
  const bytes = bits.match(/.{1,8}/g)!.map((byte) => Number.parseInt(byte.padEnd(8, '1'), 2));
  return Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [0xff, 0] : [byte])));
}

/**
 * Adds bytes after the picture: another file with the same picture, because decoders stop at the end of the picture.
 */
export function withTrailingBytes(whole: Buffer, value: number): Buffer {
  return Buffer.concat([whole, uint32(value)]);
}

export type RiffChunk = [type: string, data: Buffer];

export function webp(...chunks: RiffChunk[]): Buffer {
  const body = chunks.map(([type, data]) =>
    Buffer.concat([Buffer.from(type, 'latin1'), uint32(data.length).reverse(), data, Buffer.alloc(data.length % 2)]),
  );
  const content = Buffer.concat([Buffer.from('WEBP'), ...body]);
  return Buffer.concat([Buffer.from('RIFF'), uint32(content.length).reverse(), content]);
}

/** The extended header of a WebP: flag 2 is animation, 4 XMP, 8 EXIF, 32 a colour profile. */
export function webpHeader(flags: number, width: number, height: number): RiffChunk {
  const data = Buffer.alloc(10);
  data.writeUInt8(flags, 0);
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return ['VP8X', data];
}

/** The chunk with the pixels of a plain lossy WebP. */
export function webpPixels(plain: Buffer): RiffChunk {
  return ['VP8 ', plain.subarray(20, 20 + plain.readUInt32LE(16))];
}

/** A box of the ISO base media format, which AVIF is. */
export function box(type: string, data: Buffer): Buffer {
  return Buffer.concat([uint32(data.length + 8), Buffer.from(type, 'latin1'), data]);
}

export function avifOfClaimedSize(avif: Buffer, width: number, height: number): Buffer {
  const claimed = Buffer.from(avif);
  const size = claimed.indexOf('ispe') + 8;
  claimed.writeUInt32BE(width, size);
  claimed.writeUInt32BE(height, size + 4);
  return claimed;
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
