import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream';
import { promisify } from 'node:util';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { CommerceError, invalidAt } from '../../errors.ts';
import { MAX_IMAGE_BYTES } from '../../image/decode.ts';
import type { JsonParser } from '../admission/json-body.ts';
import { HttpError } from '../protocol/problem.ts';

const INPUT = 'input';
const FILE = 'file';
const MAX_INPUT_BYTES = 1024 * 1024;
const MAX_PARTS = 16;
/** Maximum time from the end of the body to the end of the parser, which then only reads what is in memory. */
const PARSE_TIMEOUT_MS = 2_000;

/**
 * Every part is read as a stream. The plugin would keep the values of other fields until the form ends, and parse each
 * that says it is JSON at once, whatever its name is.
 */
export const formOptions = {
  isPartAFile: () => true,
  // `readBytes` has the limits.
  limits: { parts: MAX_PARTS, fileSize: Infinity, fieldNameSize: 100, headerPairs: 20 },
};

export type FormReading = { readonly parseJson: JsonParser; readonly timeoutMs: number | undefined };
export type UploadForm = { readonly input: unknown; readonly file: Buffer | null };

/**
 * Reads the JSON object in the field `input` and the picture in the field `file`, in either order. Ignores other
 * fields.
 */
export async function readForm(request: FastifyRequest, { parseJson, timeoutMs }: FormReading): Promise<UploadForm> {
  const { json, file } = await endInTime(request.raw, readParts(request), timeoutMs);
  if (json === null) throw fieldInvalid(INPUT, 'must be a field with a JSON object');
  try {
    return { input: await promisify(parseJson)(request, json), file };
  } catch (error) {
    if (error instanceof CommerceError && error.code !== 'ARGUMENT_VALIDATION_ERROR') throw error;
    throw fieldInvalid(INPUT, 'must be JSON in UTF-8');
  }
}

/** The parser might report neither an error nor the end of a broken form. Its memory would never be released. */
async function endInTime<T>(body: IncomingMessage, reading: Promise<T>, timeoutMs = PARSE_TIMEOUT_MS): Promise<T> {
  const late = Promise.withResolvers<never>();
  const error = new HttpError(400, 'The form could not be read: its end was not found.');
  let timer: NodeJS.Timeout | undefined;
  const forget = finished(body, () => (timer = setTimeout(late.reject, timeoutMs, error)));
  try {
    return await Promise.race([reading, late.promise]);
  } finally {
    forget();
    clearTimeout(timer);
  }
}

async function readParts(request: FastifyRequest): Promise<{ json: Buffer | null; file: Buffer | null }> {
  let json: Buffer | null = null;
  let file: Buffer | null = null;
  let failure: unknown;
  // When the request fails, the parser closes its streams without the reason.
  request.raw.once('error', (error) => (failure = error));
  try {
    for await (const part of request.files()) {
      if (part.fieldname === INPUT) json = await readInput(part, json !== null);
      else if (part.fieldname === FILE) file = await readFile(part, file !== null);
      else ignorePart(part);
    }
  } catch (error) {
    discardRest(request);
    throw formError(failure ?? error);
  }
  return { json, file };
}

/**
 * Reads the rest of the request and discards it. The parser leaves the stream paused, and then the next request on the
 * connection would never be read. If the connection was closed instead, a client that is still sending might not get the
 * answer.
 */
function discardRest({ raw }: FastifyRequest): void {
  raw.unpipe().resume();
}

async function readInput({ file }: MultipartFile, isRepeated: boolean): Promise<Buffer> {
  if (isRepeated) throw fieldInvalid(INPUT, 'must be sent once');
  const message = `must be at most ${MAX_INPUT_BYTES} bytes; send the picture in the field ${FILE}`;
  return await readBytes(file, MAX_INPUT_BYTES, fieldInvalid(INPUT, message));
}

/** The file's name is not used: stored names are made of ids. */
async function readFile(part: MultipartFile, isRepeated: boolean): Promise<Buffer> {
  if (!isFile(part)) throw fieldInvalid(FILE, 'must be sent as a file');
  if (isRepeated) throw fieldInvalid(FILE, 'must be one file');
  return await readBytes(part.file, MAX_IMAGE_BYTES, fieldInvalid(FILE, 'must be at most 20 MB'));
}

function ignorePart(part: MultipartFile): void {
  if (isFile(part)) throw fieldInvalid(FILE, `is the field for the picture, not ${JSON.stringify(part.fieldname)}`);
  part.file.resume();
}

function isFile({ filename, mimetype }: { filename?: string; mimetype: string }): boolean {
  return filename !== undefined || mimetype === 'application/octet-stream';
}

/** Stops at the limit. */
async function readBytes(stream: AsyncIterable<Buffer>, maxBytes: number, tooLong: CommerceError): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLong;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Converts an error of the multipart parser. Its messages name no part of the system. */
function formError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof CommerceError) return error;
  const { statusCode } = error as { statusCode?: number };
  return new HttpError(statusCode === 413 ? 413 : 400, `The form could not be read: ${error.message}`);
}

function fieldInvalid(member: string, message: string): CommerceError {
  return invalidAt([member], message);
}
