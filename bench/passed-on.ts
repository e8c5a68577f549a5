import { startChild } from './child.ts';
import { httpSubject, type Surroundings } from './http-subject.ts';
import { statementOf } from './statement.ts';
import type { Subject } from './subject.ts';
import type { Shop, Workload } from './workload.ts';
import { workloads } from './workloads.ts';

/** A parameter that is the same in each request, or the place of its value in the request's variables. */
export type Parameter = { fixed: string } | { path: readonly string[]; isTime: boolean };
export type PassedOnStatement = { text: string; parameters: readonly Parameter[] };

/**
 * A lower bound for the service in Node: Fastify, the service's own statement through the same driver, and its text as
 * the response.
 */
export async function startPassedOn(databaseUrl: string, surroundings: Surroundings): Promise<Subject> {
  const passedOn = workloads.filter(({ hasFloor }) => hasFloor);
  const statements: Record<string, PassedOnStatement> = {};
  for (const workload of passedOn)
    statements[pathOf(workload)] = await passedOnStatement(databaseUrl, surroundings.shop, workload);
  const child = await startChild(
    'node bench/passed-on-process.ts',
    { DATABASE_URL: databaseUrl, STATEMENTS: JSON.stringify(statements) },
    async (url) => (await fetch(url)).ok,
  );
  const { answer: _, ...subject } = httpSubject(
    { name: 'statement passed on', child, path: pathOf, headers: {}, side: 'own' },
    surroundings,
    (workload) => (passedOn.includes(workload) ? workload : undefined),
  );
  return subject;
}

function pathOf({ name }: Workload): string {
  return `/${name}`;
}

/** Compares two requests to see which parameters change with the variables. */
async function passedOnStatement(databaseUrl: string, shop: Shop, workload: Workload): Promise<PassedOnStatement> {
  const { text, parameters } = await statementOf(databaseUrl, shop, workload, 0);
  const next = await statementOf(databaseUrl, shop, workload, 1);
  if (next.text !== text) throw new Error(`${workload.name} has more than one statement.`);
  const sent = leavesOf(workload.request(shop, 0).variables);
  return {
    text,
    parameters: parameters.map((parameter, index) => {
      const value = String(parameter);
      if (value === String(next.parameters[index])) return { fixed: value };
      const path = (asText: (leaf: unknown) => string) => sent.find(({ leaf }) => asText(leaf) === value)?.path;
      const [asIs, asTime] = [path(String), path(timeOf)];
      if (!asIs && !asTime) throw new Error(`The variables of ${workload.name} do not have its parameter ${value}.`);
      return { path: (asIs ?? asTime)!, isTime: !asIs };
    }),
  };
}

function timeOf(leaf: unknown): string {
  return typeof leaf === 'number' ? new Date(leaf).toISOString() : '';
}

function leavesOf(value: unknown, path: readonly string[] = []): { path: readonly string[]; leaf: unknown }[] {
  if (typeof value !== 'object' || value === null) return [{ path, leaf: value }];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...path, name]));
}
