import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Turns } from './turns.ts';

/** Waits for the request's turn, which ends when the answer has been sent or the client has gone. */
export async function takeUntilAnswered(turns: Turns, weight: number, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const leave = await turns.take(request.session, weight, reply.raw);
  if (reply.raw.destroyed) leave();
  else reply.raw.once('close', leave);
}
