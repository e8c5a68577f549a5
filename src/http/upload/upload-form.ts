import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { argumentInvalid, CommerceError } from '../../errors.ts';
import { MAX_IMAGE_BYTES } from '../../image/decode.ts';
import { withoutUnderflow } from '../protocol/json-numbers.ts';
import { HttpError } from '../protocol/problem.ts';

const INPUT = 'input';
const FILE = 'file';
const MAX_INPUT_BYTES = 1024 * 1024;
const MAX_PARTS = 16;

export const formLimits = {
  parts: MAX_PARTS,
  files: 1,
  fileSize: MAX_IMAGE_BYTES,
  fieldSize: MAX_INPUT_BYTES,
  fieldNameSize: 100,
  headerPairs: 20,
};

export type UploadForm = { readonly input: unknown; readonly file: Buffer | null };

/**
 * Reads the JSON object in the field `input` and the picture in the field `file`, in either order. Ignores other
 * fields.
 */
export async function readForm(request: FastifyRequest): Promise<UploadForm> {
  let input: unknown;
  let file: Buffer | null = null;
  let failure: unknown;
  // When the request fails, the parser closes its streams without the reason.
  request.raw.once('error', (error) => (failure = error));
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') file = await readFile(part);
      else if (part.fieldname === INPUT) input = readInput(part, input !== undefined);
      else if (part.fieldname === FILE) throw fieldInvalid(FILE, 'must be sent as a file');
    }
  } catch (error) {
    discardRest(request);
    throw formError(failure ?? error);
  }
  if (input === undefined) throw fieldInvalid(INPUT, 'must be a field with a JSON object');
  return { input, file };
}

/**
 * Reads the rest of the request and discards it. The parser leaves the stream paused, and then the next request on the
 * connection would never be read. If the connection was closed instead, a client that is still sending might not get the
 * answer.
 */
function discardRest({ raw }: FastifyRequest): void {
  raw.unpipe().resume();
}

/** Stops at the limit. The file's name is not used: stored names are made of ids. */
async function readFile({ fieldname, file }: Extract<Multipart, { type: 'file' }>): Promise<Buffer> {
  if (fieldname !== FILE) throw fieldInvalid(FILE, `is the field for the picture, not ${JSON.stringify(fieldname)}`);
  const chunks: Buffer[] = [];
  for await (const chunk of file as AsyncIterable<Buffer>) {
    if (file.truncated) throw fieldInvalid(FILE, 'must be at most 20 MB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function readInput({ value, valueTruncated }: Extract<Multipart, { type: 'field' }>, isRepeated: boolean): unknown {
  if (isRepeated) throw fieldInvalid(INPUT, 'must be sent once');
  if (valueTruncated)
    throw fieldInvalid(INPUT, `must be at most ${MAX_INPUT_BYTES} bytes; send the picture in the field ${FILE}`);
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(withoutUnderflow(value));
  } catch {
    throw fieldInvalid(INPUT, 'must be JSON');
  }
}

const MESSAGE_BY_CODE: Record<string, [member: string, message: string]> = {
  FST_REQ_FILE_TOO_LARGE: [FILE, 'must be at most 20 MB'],
  FST_FILES_LIMIT: [FILE, 'must be one file'],
  FST_INVALID_JSON_FIELD_ERROR: [INPUT, 'must be JSON'],
};

/** Converts an error of the multipart parser. Its messages name no part of the system. */
function formError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof CommerceError) return error;
  const { code = '', statusCode } = error as { code?: string; statusCode?: number };
  const known = MESSAGE_BY_CODE[code];
  if (known) return fieldInvalid(...known);
  return new HttpError(statusCode === 413 ? 413 : 400, `The form could not be read: ${error.message}`);
}

function fieldInvalid(member: string, message: string): CommerceError {
  return argumentInvalid([{ path: [member], message }]);
}
