import { hash } from 'node:crypto';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { scopeIsGranted } from '../../app-scope.ts';
import type { Context, Session } from '../../context.ts';
import { ofMerchant, withSending } from '../../db/connection/database.ts';
import { invalidAt, loginRequired, unauthorized } from '../../errors.ts';
import { type ImageDependencies, type ImageUploadArgs, storeUpload, uploadImage } from '../../image/upload-image.ts';
import { readImageUpload } from '../../image/upload-input.ts';
import { EventLoopSlices } from '../../limits/event-loop-slices.ts';
import { currentSession } from '../admission/authenticate.ts';
import type { BlockingWorkQueue } from '../admission/blocking-work-queue.ts';
import { BodyMemory } from '../admission/body-memory.ts';
import { FairLimiter, type FairLimits } from '../admission/fair-limiter.ts';
import { createJsonParser } from '../admission/json-body.ts';
import { createRunMutation, type MutationResponse, type RunMutation } from '../protocol/mutation.ts';
import { refuseOtherMethods } from '../protocol/other-methods.ts';
import { HttpError } from '../protocol/problem.ts';
import { formOptions, type FormReading, readForm } from './upload-form.ts';

export const uploadPath = '/api/v1/admin/product/upload/image';

const REQUIRED_SCOPE = 'write_products';
/** 20 MB in base64 with line breaks, and the JSON around it. */
const MAX_BODY_BYTES = 29 * 1024 * 1024;
/** Bytes of all bodies at once. A body takes up to four times its length; parsed JSON up to twenty, but not for long. */
const BODY_LIMITS = { max: 96 * 1024 * 1024, maxPerMerchant: 64 * 1024 * 1024, maxBodyBytes: MAX_BODY_BYTES };
/** Pictures that are fetched from other hosts at once. */
const FETCH_LIMITS = { max: 8, maxPerMerchant: 6 };
/** Pictures take longer than other requests, and clients send many at once. */
const WAIT_LIMITS = { maxWaiting: 1_000, maxWaitMs: 60_000 };

export type UploadDependencies = ImageDependencies &
  Pick<Context, 'db' | 'webhook'> & {
    blockingWork: BlockingWorkQueue;
    waitLimits?: Pick<FairLimits, 'maxWaiting' | 'maxWaitMs'>;
    formTimeoutMs?: number;
  };

/** `content` identifies repeats of a request with an Idempotency-Key; it contains the hash of the picture. */
type ReceivedUpload = { upload: ImageUploadArgs; content: unknown };

export async function uploadRoutes(app: FastifyInstance, dependencies: UploadDependencies): Promise<void> {
  const { waitLimits = WAIT_LIMITS, formTimeoutMs: timeoutMs } = dependencies;
  const bodies = new BodyMemory({ ...BODY_LIMITS, ...waitLimits });
  const fetches = new FairLimiter({ ...FETCH_LIMITS, ...waitLimits });
  const runMutation = createRunMutation();
  const slices = new EventLoopSlices();
  const reading = { parseJson: createJsonParser(app, dependencies.blockingWork), timeoutMs };
  await app.register(multipart, formOptions);
  // This hook runs before the body is read, so that refused requests send no more and waiting ones take no memory.
  app.addHook('preParsing', async (request, reply) => {
    requireScope(request.session);
    if (request.headers['x-preflight'] !== undefined) throw invalidAt(['X-Preflight'], 'is for requests of GraphQL');
    await bodies.admit(announcedBytes(request), request, reply);
  });
  // A body without Content-Length may have no end: close the connection instead of reading the rest.
  app.addHook('onSend', async (request, reply) => {
    if (!request.raw.readableEnded && request.headers['content-length'] === undefined)
      reply.header('connection', 'close');
  });
  refuseOtherMethods(app, uploadPath, { allowed: ['POST'], message: 'Upload pictures with POST.' });
  app.post(uploadPath, { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    const { status, headers, body } = await bodies.keepDuring(request, async () => {
      const received = await readUpload(request, reading);
      const run = async () => await runUpload(request, received, { ...dependencies, runMutation, slices });
      const isFetched = received.upload.source.kind === 'url';
      return isFetched ? await fetches.run(request.session, 1, reply.raw, run) : await run();
    });
    return await reply
      .code(status)
      .headers({ ...headers, 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
      .send(JSON.stringify(body));
  });
}

async function runUpload(
  request: FastifyRequest,
  { upload, content }: ReceivedUpload,
  { runMutation, ...dependencies }: UploadDependencies & { runMutation: RunMutation; slices: EventLoopSlices },
): Promise<MutationResponse> {
  // Its token may have been revoked while the picture was received or the request waited.
  requireScope(await currentSession(request));
  return await runMutation(contextOf(request, dependencies), {
    headers: request.headers,
    operation: 'uploadImage',
    content,
    withCurrentSession: async (ctx) => await withCurrentSession(ctx, request),
    prepare: async (ctx, isDryRun) => await storeUpload({ ...dependencies, ...ctx }, upload, { isDryRun }),
    execute: async (ctx, kept) => {
      const imageId = await uploadImage({ ...dependencies, ...ctx }, upload, kept);
      return { response: { status: 200, headers: { 'x-image-id': imageId }, body: 'OK' } };
    },
  });
}

async function withCurrentSession(ctx: Context, request: FastifyRequest): Promise<Context> {
  const session = await currentSession(request, ctx.db);
  requireScope(session);
  return { ...ctx, session };
}

function requireScope(session: Session | null): void {
  if (!session) throw loginRequired();
  if (!scopeIsGranted(session.scopes, REQUIRED_SCOPE)) throw unauthorized(REQUIRED_SCOPE);
}

/** A body without Content-Length may have any length up to the limit. */
function announcedBytes({ headers }: FastifyRequest): number {
  const length = Number(headers['content-length'] ?? MAX_BODY_BYTES);
  if (length > MAX_BODY_BYTES)
    throw new HttpError(413, `The body must be at most ${MAX_BODY_BYTES} bytes.`, { connection: 'close' });
  return length;
}

async function readUpload(request: FastifyRequest, reading: FormReading): Promise<ReceivedUpload> {
  const { body } = request;
  request.body = undefined;
  const { input, file } = request.isMultipart() ? await readForm(request, reading) : { input: body, file: null };
  const upload = readImageUpload(input, { hasFile: file !== null });
  return { upload: { ...upload, file }, content: [upload, file && isKeyed(request) ? hash('sha256', file) : null] };
}

function isKeyed({ headers }: FastifyRequest): boolean {
  return headers['idempotency-key'] !== undefined;
}

function contextOf(
  { session, id, log, span }: FastifyRequest,
  { db, webhook, slices }: Pick<Context, 'db' | 'webhook' | 'slices'>,
): Context {
  const { merchantId } = session!;
  const own = withSending(ofMerchant(db, merchantId, null, span), { admittedAtMs: null });
  return { db: own, webhook, slices, log, requestId: id, session: session!, merchantId };
}
