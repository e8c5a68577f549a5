import { hash } from 'node:crypto';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { scopeIsGranted } from '../../app-scope.ts';
import type { Context, Session } from '../../context.ts';
import { ofMerchant } from '../../db/connection/database.ts';
import { loginRequired, unauthorized } from '../../errors.ts';
import { readImageUpload } from '../../image/upload-input.ts';
import { type ImageDependencies, type ImageUploadArgs, keepUpload, uploadImage } from '../../image/upload-image.ts';
import { createRunMutation } from '../protocol/mutation.ts';
import { HttpError } from '../protocol/problem.ts';
import { takeUntilAnswered } from '../admission/release-on-close.ts';
import { type TurnLimits, Turns } from '../admission/fair-limiter.ts';
import { formLimits, readForm } from './upload-form.ts';

export const uploadPath = '/api/v1/admin/product/upload/image';

const REQUIRED_SCOPE = 'write_products';
/** 20 MB in base64, with line breaks, and what stands around it. */
const BODY_LIMIT_BYTES = 29 * 1024 * 1024;
/** Of all uploads that are being read and decoded; a body takes up to four times its length. Others wait unread. */
const BODIES_MAX_BYTES = 96 * 1024 * 1024;
const FETCHES_MAX = 8;
/** A merchant's uploads leave something to others. */
const BODIES_MAX_BYTES_PER_MERCHANT = 64 * 1024 * 1024;
const FETCHES_MAX_PER_MERCHANT = 6;
/** Pictures take longer than other requests, and many are sent at once. */
const defaultWaiting = { waitingMax: 1_000, waitMaxMs: 60_000 };

export type UploadDependencies = ImageDependencies &
  Pick<Context, 'db' | 'webhook'> & { waiting?: Pick<TurnLimits, 'waitingMax' | 'waitMaxMs'> };

export async function uploadRoutes(app: FastifyInstance, parts: UploadDependencies): Promise<void> {
  const { waiting = defaultWaiting } = parts;
  const bodies = new Turns({ max: BODIES_MAX_BYTES, maxPerMerchant: BODIES_MAX_BYTES_PER_MERCHANT, ...waiting });
  const fetches = new Turns({ max: FETCHES_MAX, maxPerMerchant: FETCHES_MAX_PER_MERCHANT, ...waiting });
  const runMutation = createRunMutation();
  await app.register(multipart, { limits: formLimits });
  // Before the body is read: who is refused anyway sends nothing more, and who has to wait waits with it.
  app.addHook('preParsing', async (request, reply) => {
    requireScope(request.session);
    await takeUntilAnswered(bodies, announcedBytes(request), request, reply);
  });
  // What is sent without end is not read to its end.
  app.addHook('onSend', async (request, reply) => {
    if (!request.raw.readableEnded && request.headers['content-length'] === undefined)
      reply.header('connection', 'close');
  });
  app.post(uploadPath, { bodyLimit: BODY_LIMIT_BYTES }, async (request, reply) => {
    const { upload, content } = await readUpload(request);
    if (upload.source.kind === 'url') await takeUntilAnswered(fetches, 1, request, reply);
    const { status, headers, body } = await runMutation(contextOf(request, parts), {
      headers: request.headers,
      content,
      prepare: async (ctx, isDryRun) => await keepUpload({ ...parts, ...ctx }, upload, { isDryRun }),
      execute: async (ctx, kept) => {
        const imageId = await uploadImage({ ...parts, ...ctx }, upload, kept);
        return { answer: { status: 200, headers: { 'x-image-id': imageId }, body: 'OK' } };
      },
    });
    return await reply
      .code(status)
      .headers({ ...headers, 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
      .send(JSON.stringify(body));
  });
}

function requireScope(session: Session | null): void {
  if (!session) throw loginRequired();
  if (!scopeIsGranted(session.scopes, REQUIRED_SCOPE)) throw unauthorized(REQUIRED_SCOPE);
}

/** One that does not say how long it is may be as long as is allowed. */
function announcedBytes({ headers }: FastifyRequest): number {
  const length = Number(headers['content-length'] ?? BODY_LIMIT_BYTES);
  if (length > BODY_LIMIT_BYTES)
    throw new HttpError(413, `The body must be at most ${BODY_LIMIT_BYTES} bytes.`, { connection: 'close' });
  return length;
}

/** The content tells a repeat from another request that has the same key. */
async function readUpload(request: FastifyRequest): Promise<{ upload: ImageUploadArgs; content: unknown }> {
  const { input, file } = request.isMultipart() ? await readForm(request) : { input: request.body, file: null };
  const upload = { ...readImageUpload(input, { hasFile: file !== null }), file };
  return { upload, content: [input, file && isKeyed(request) ? hash('sha256', file) : null] };
}

function isKeyed({ headers }: FastifyRequest): boolean {
  return headers['idempotency-key'] !== undefined;
}

function contextOf({ session, id, log }: FastifyRequest, { db, webhook }: UploadDependencies): Context {
  const { merchantId } = session!;
  return { db: ofMerchant(db, merchantId), webhook, log, requestId: id, session: session!, merchantId };
}
