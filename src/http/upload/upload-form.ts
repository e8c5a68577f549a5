import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { argumentInvalid, CommerceError } from '../../errors.ts';
import { MAX_IMAGE_BYTES } from '../../image/decode.ts';
import { withoutLostNumbers } from '../protocol/json-numbers.ts';
import { HttpError } from '../protocol/problem.ts';

const INPUT = 'input';
const FILE = 'file';
const INPUT_MAX_BYTES = 1024 * 1024;
const PARTS_MAX = 16;

export const formLimits = {
  parts: PARTS_MAX,
  files: 1,
  fileSize: MAX_IMAGE_BYTES,
  fieldSize: INPUT_MAX_BYTES,
  fieldNameSize: 100,
  headerPairs: 20,
};

export type UploadForm = { readonly input: unknown; readonly file: Buffer | null };

/** The JSON object in the field `input` and the picture in the field `file`, in either order. Other fields are ignored. */
export async function readForm(request: FastifyRequest): Promise<UploadForm> {
  let input: unknown;
  let file: Buffer | null = null;
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') file = await readFile(part);
      else if (part.fieldname === INPUT) input = readInput(part, input !== undefined);
      else if (part.fieldname === FILE) throw wrong(FILE, 'must be sent as a file');
    }
  } catch (error) {
    throw explained(error);
  }
  if (input === undefined) throw wrong(INPUT, 'must be a field with a JSON object');
  return { input, file };
}

/** Given up at the limit, whatever is still to come. The file's name is never used: ours are made of ids. */
async function readFile({ fieldname, file }: Extract<Multipart, { type: 'file' }>): Promise<Buffer> {
  if (fieldname !== FILE) throw wrong(FILE, `is the field for the picture, not ${JSON.stringify(fieldname)}`);
  const chunks: Buffer[] = [];
  for await (const chunk of file as AsyncIterable<Buffer>) {
    if (file.truncated) throw wrong(FILE, 'must be at most 20 MB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function readInput({ value, valueTruncated }: Extract<Multipart, { type: 'field' }>, isRepeated: boolean): unknown {
  if (isRepeated) throw wrong(INPUT, 'must be sent once');
  if (valueTruncated)
    throw wrong(INPUT, `must be at most ${INPUT_MAX_BYTES} bytes; send the picture in the field ${FILE}`);
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(withoutLostNumbers(value));
  } catch {
    throw wrong(INPUT, 'must be JSON');
  }
}

const MESSAGES: Record<string, [member: string, message: string]> = {
  FST_REQ_FILE_TOO_LARGE: [FILE, 'must be at most 20 MB'],
  FST_FILES_LIMIT: [FILE, 'must be one file'],
  FST_INVALID_JSON_FIELD_ERROR: [INPUT, 'must be JSON'],
};

/** What the parser of forms throws, told as other mistakes are; its words name no part of the system. */
function explained(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof CommerceError) return error;
  const { code = '', statusCode } = error as { code?: string; statusCode?: number };
  const known = MESSAGES[code];
  if (known) return wrong(...known);
  return new HttpError(statusCode === 413 ? 413 : 400, `The form could not be read: ${error.message}`);
}

function wrong(member: string, message: string): CommerceError {
  return argumentInvalid([{ path: [member], message }]);
}
