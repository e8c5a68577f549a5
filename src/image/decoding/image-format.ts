export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif';

const BRANDS_START = 8;
const MINOR_VERSION_START = 12;
const MAX_BRANDS_END = 128;
const AVIF_BRANDS: ReadonlySet<string> = new Set(['avif', 'avis']);

/** Detects the format from the content. File names and content types are ignored. */
export function imageFormat(bytes: Buffer): ImageFormat | null {
  const startsWith = (text: string, at = 0) => bytes.toString('latin1', at, at + text.length) === text;
  if (startsWith('\xff\xd8\xff')) return 'jpeg';
  if (startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (startsWith('RIFF') && startsWith('WEBP', 8)) return 'webp';
  if (startsWith('GIF87a') || startsWith('GIF89a')) return 'gif';
  if (startsWith('ftyp', 4) && hasAvifBrand(bytes)) return 'avif';
  return null;
}

function hasAvifBrand(bytes: Buffer): boolean {
  const end = Math.min(bytes.length < 4 ? 0 : bytes.readUInt32BE(0), bytes.length, MAX_BRANDS_END);
  for (let at = BRANDS_START; at + 4 <= end; at += 4) {
    if (at !== MINOR_VERSION_START && AVIF_BRANDS.has(bytes.toString('latin1', at, at + 4))) return true;
  }
  return false;
}
