const MARKER = 0xff;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
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
