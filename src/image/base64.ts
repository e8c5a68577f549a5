import { invalidAt, type Issue } from '../errors.ts';
import { MAX_IMAGE_BYTES } from './decode.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const MAX_HEADER_LENGTH = 256;
const MIME_LINE_LENGTH = 76;
// Four characters per three bytes, and a line break (two characters) after each line of a MIME encoder.
const MAX_ENCODED_LENGTH = Math.ceil(MAX_IMAGE_BYTES / 3) * 4;
const MAX_TEXT_LENGTH = MAX_HEADER_LENGTH + MAX_ENCODED_LENGTH + 2 * Math.ceil(MAX_ENCODED_LENGTH / MIME_LINE_LENGTH);

/**
 * Decodes standard base64 with padding (RFC 4648 section 4), raw or as a data URI, whose media type is ignored. Skips
 * the line breaks of MIME encoders and refuses everything else, also the URL-safe alphabet.
 */
export function decodeBase64(text: string, path: Issue['path']): Buffer {
  if (text.length > MAX_TEXT_LENGTH) {
    throw invalidAt(path, 'must be at most 20 MB when decoded');
  }
  const encoded = withoutLineBreaks(withoutHeader(text, path));
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length > MAX_IMAGE_BYTES) {
    throw invalidAt(path, 'must be at most 20 MB when decoded');
  }
  // Buffer ignores invalid characters, so encode the result again and compare.
  if (bytes.length === 0 || bytes.toString('base64') !== encoded) {
    throw invalidAt(path, 'must be base64 (A-Z a-z 0-9 + / with = padding) or a base64 data URI');
  }
  return bytes;
}

function withoutHeader(text: string, path: Issue['path']): string {
  if (text.slice(0, 5).toLowerCase() !== 'data:') {
    return text;
  }
  const end = text.slice(0, MAX_HEADER_LENGTH).indexOf(',');
  if (end < 0 || !text.slice(0, end).toLowerCase().endsWith(';base64')) {
    throw invalidAt(path, 'must be a data URI of the form data:image/…;base64,…');
  }
  return text.slice(end + 1);
}

// A loop over bytes: `replace` on a string of line breaks only takes seconds.
function withoutLineBreaks(text: string): string {
  const characters = Buffer.from(text);
  let length = 0;
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at]!;
    if (character !== LINE_FEED && character !== CARRIAGE_RETURN) {
      characters[length] = character;
      length += 1;
    }
  }
  return length === characters.length ? text : characters.toString('utf8', 0, length);
}
