const MARKER = 0xff;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const FIRST_FRAME = 0xc0;
const LAST_FRAME = 0xcf;
/** Markers between those of frames: Huffman tables, an extension, arithmetic coding. */
const NOT_FRAMES: readonly number[] = [0xc4, 0xc8, 0xcc];
const FIRST_RESTART = 0xd0;
const LAST_STANDALONE = 0xd9;

/**
 * The number of scans that the decoder would make. Segments are skipped, because an embedded thumbnail has its own
 * scans.
 */
export function countJpegScans(bytes: Buffer): number {
  let scans = 0;
  for (let at = nextMarker(bytes, 2); at >= 0; at = nextMarker(bytes, at)) {
    const marker = bytes[at + 1]!;
    if (marker === END_OF_IMAGE) {
      return scans;
    }
    scans += marker === START_OF_SCAN ? 1 : 0;
    at += 2 + segmentLength(bytes, at, marker);
  }
  return scans;
}

/** The size in the header; empty if there is none before the first scan. Throws a RangeError at the end of the bytes. */
export function jpegSize(bytes: Buffer): { width: number; height: number }[] {
  for (let at = 2; bytes[at] === MARKER; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1]!;
    if (marker === START_OF_SCAN) return [];
    if (marker >= FIRST_FRAME && marker <= LAST_FRAME && !NOT_FRAMES.includes(marker))
      return [{ width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }];
  }
  return [];
}

// In scan data 0xff is followed by zero, a restart marker or another 0xff.
function nextMarker(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(MARKER, from);
  while (at >= 0 && (bytes[at + 1] === 0 || bytes[at + 1] === MARKER)) {
    at = bytes.indexOf(MARKER, at + 1);
  }
  return at + 1 < bytes.length ? at : -1;
}

function segmentLength(bytes: Buffer, at: number, marker: number): number {
  const standsAlone = marker === 0x01 || (marker >= FIRST_RESTART && marker <= LAST_STANDALONE);
  return standsAlone || at + 4 > bytes.length ? 0 : bytes.readUInt16BE(at + 2);
}
