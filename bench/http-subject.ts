import type { Child } from './child.ts';
import type { Load } from './load.ts';
import type { Sample, Settings, Subject } from './subject.ts';
import { cpuMs, residentMiB } from './usage.ts';
import type { Exchange, GraphQLRequest, Shop, Workload } from './workload.ts';

/**
 * Distance between the first requests of two jobs, so that no request is repeated. Workloads that take one product of
 * 100,000 after the other start 17,000 products further each time, so that a job does not find rows cached by the
 * previous one.
 */
const JOB_REQUESTS = 1_017_000;

export type HttpServer = {
  name: string;
  child: Child;
  path: string | ((workload: Workload) => string);
  headers: Record<string, string>;
  side: 'own' | 'peer';
};
export type Surroundings = {
  shop: Shop;
  load: Load;
  postgresMs: () => Promise<number | null>;
  untilIdle: () => Promise<void>;
};

let jobs = 0;

/** An HTTP server for the requests of `exchangeOf`. */
export function httpSubject(
  server: HttpServer,
  surroundings: Surroundings,
  exchangeOf: (workload: Workload) => Exchange | undefined,
): Subject {
  const { name, child, headers } = server;
  return {
    name,
    does: (workload) => exchangeOf(workload) !== undefined,
    answer: async (workload) => {
      const { request, answer } = exchangeOf(workload)!;
      return answer((await post(urlOf(server, workload), headers, request(surroundings.shop, 0))) as never);
    },
    sample: async (workload, settings) => await sample(server, surroundings, workload, settings),
    stop: () => child.stop(),
  };
}

function urlOf({ child, path }: HttpServer, workload: Workload): string {
  return child.url + (typeof path === 'string' ? path : path(workload));
}

export async function post(url: string, headers: Record<string, string>, body: GraphQLRequest): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const { data, errors } = (await response.json()) as { data?: unknown; errors?: unknown };
  if (errors) throw new Error(`${url} answered ${JSON.stringify(errors)} to ${body.query}`);
  return data;
}

async function sample(
  server: HttpServer,
  { load, postgresMs, untilIdle }: Surroundings,
  workload: Workload,
  settings: Settings,
): Promise<Sample> {
  const { child, headers, side } = server;
  const usage = async () => ({ node: await cpuMs(child.pid), postgres: await postgresMs() });
  const before = await usage();
  const {
    requests,
    seconds,
    statuses: _,
    ...result
  } = await load.run({
    workload: workload.name,
    side,
    url: urlOf(server, workload),
    headers,
    connections: workload.connections ?? settings.connections,
    seconds: settings.seconds,
    first: ++jobs * JOB_REQUESTS,
  });
  const after = await usage();
  await untilIdle();
  return {
    ...result,
    perSecond: requests / seconds,
    nodeCpuMs: (after.node - before.node) / requests,
    postgresCpuMs:
      before.postgres === null || after.postgres === null ? null : (after.postgres - before.postgres) / requests,
    residentMiB: await residentMiB(child.pid),
  };
}
