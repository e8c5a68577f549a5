import { startChild } from './child.ts';
import { httpSubject, type Surroundings } from './http-subject.ts';
import type { Subject } from './subject.ts';

/** The cost of the HTTP server alone, for comparison with the smallest operation. */
export async function startStatic(surroundings: Surroundings): Promise<Subject> {
  const child = await startChild('node bench/static-process.ts', {}, async (url) => (await fetch(url)).ok);
  const { answer: _, ...subject } = httpSubject(
    { name: 'Fastify static', child, path: '/', headers: {}, side: 'own' },
    surroundings,
    (workload) => (workload.name === 'W8' ? workload : undefined),
  );
  return subject;
}
