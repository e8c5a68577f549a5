import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Client, Turns } from './fair-limiter.ts';

/** Waits for the request's turn, which ends when the answer has been sent or the client has gone. */
export async function takeUntilAnswered(
  turns: Turns,
  weight: number,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  whenAnswered(reply.raw, await turns.take(request.session, weight, reply.raw));
}

/** Calls `leave` when the answer has been sent or the client has gone. */
export function whenAnswered(client: Client, leave: () => void): void {
  if (client.destroyed) leave();
  else client.once('close', leave);
}
