import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ClientStream } from '../../limits/client-stream.ts';
import type { FairLimiter, Release } from './fair-limiter.ts';

/** Waits for admission, and releases it when the response is sent or the client disconnects. */
export async function acquireUntilClosed(
  limiter: FairLimiter,
  weight: number,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  releaseOnClose(reply.raw, await limiter.acquire(request.session, weight, reply.raw));
}

/** Calls `release` when the response is sent or the client disconnects. */
export function releaseOnClose(client: ClientStream, release: Release): void {
  if (client.destroyed) release();
  else client.once('close', release);
}
