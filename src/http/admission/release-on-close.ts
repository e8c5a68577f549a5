import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ClientConnection, FairLimiter, Release } from './fair-limiter.ts';

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
export function releaseOnClose(connection: ClientConnection, release: Release): void {
  if (connection.destroyed) release();
  else connection.once('close', release);
}
