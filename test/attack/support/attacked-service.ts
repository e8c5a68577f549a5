import { expect } from 'vitest';
import { issueAccessToken } from '../../../src/app/credentials/access-token.ts';
import { percentilesOf } from '../../../bench/percentiles.ts';
import { appScopes } from '../../../src/app-scope.ts';
import type { Context } from '../../../src/context.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { type Answer, post } from '../../support/post.ts';
import { createDataDir, isAlive, residentMib, type RunningService, startMain } from '../../support/process.ts';
import { SecondMerchant } from './second-merchant.ts';

/** The longest time that another merchant may wait during an attack. */
export const LONGEST_WAIT_MS = 1_000;
const MEMORY_MEASURED_EVERY_MS = 50;

export type Merchant = {
  ctx: Context;
  token: string;
  send(body: object, headers?: Record<string, string>): Promise<Answer>;
};

export type AttackedService = {
  url: string;
  graphqlUrl: string;
  database: TestDatabase;
  process: RunningService;
  attacker: Merchant;
  second: SecondMerchant;
  /** Creates a merchant with an app of all scopes. */
  createMerchant(): Promise<Merchant>;
  memoryMib(): number;
  stop(): Promise<void>;
};

/** The service in a process of its own, on a database of its own, with a merchant that attacks it. */
export async function startAttackedService(environment: Record<string, string> = {}): Promise<AttackedService> {
  const [database, dataDir] = await Promise.all([createDatabase(), createDataDir()]);
  // The key with which `createContext` encrypts the secrets of apps.
  const process = await startMain({
    DATABASE_URL: database.url,
    SECRET_KEY: '0'.repeat(64),
    DATA_DIR: dataDir.path,
    ...environment,
  });
  const graphqlUrl = `${process.url}/api/v1/admin/graphql`;
  const createMerchant = async (): Promise<Merchant> => {
    const ctx = await createContext(database.db);
    const token = await issueAccessToken(ctx, { authorizedAppId: ctx.session.authorizedAppId, scopes: appScopes });
    return { ctx, token, send: async (body, headers = {}) => await post(graphqlUrl, body, { token, headers }) };
  };
  const second = new SecondMerchant({ url: process.url, token: (await createMerchant()).token });
  return {
    url: process.url,
    graphqlUrl,
    database,
    process,
    attacker: await createMerchant(),
    second,
    createMerchant,
    memoryMib: () => residentMib(process.child.pid!),
    stop: async () => {
      await second.stop();
      await process.stop('SIGKILL');
      await database.drop();
      await dataDir.remove();
    },
  };
}

export type Report = {
  longestWaitMs: number;
  /** The 99th percentile of the waits. */
  p99Ms: number;
  longestHealthWaitMs: number;
  asked: number;
  failures: string[];
  isAlive: boolean;
};

/** Attacks the service while a second merchant sends eight requests a second, and prints its longest wait. */
export async function attack(name: string, service: AttackedService, work: () => Promise<unknown>): Promise<Report> {
  const observation = await service.second.observe(work);
  const percentileMs = percentilesOf(observation.waitsMs, 0);
  const report = {
    longestWaitMs: Math.max(...observation.waitsMs),
    p99Ms: percentileMs(0.99),
    longestHealthWaitMs: Math.max(...observation.healthWaitsMs),
    asked: observation.waitsMs.length,
    failures: observation.failures,
    isAlive: isAlive(service.process.child.pid!),
  };
  console.log(
    `${name}: the second merchant waited ${Math.round(report.longestWaitMs)} ms at most (p99 ${report.p99Ms} ms, median ${percentileMs(0.5)} ms), /healthz ${Math.round(report.longestHealthWaitMs)} ms, ${report.asked} requests, ${service.memoryMib()} MiB`,
  );
  return report;
}

/** Expected after every attack. */
export function expectUnharmed(report: Report): void {
  expect(report.failures).toEqual([]);
  expect(report.isAlive).toBe(true);
  expect(report.longestWaitMs).toBeLessThan(LONGEST_WAIT_MS);
  expect(report.longestHealthWaitMs).toBeLessThan(LONGEST_WAIT_MS);
}

/** By how many MiB the resident memory of the service grows at most until `work` is done. */
export async function memoryGrowthMib(service: AttackedService, work: () => Promise<unknown>): Promise<number> {
  const beforeMib = service.memoryMib();
  let mostMib = beforeMib;
  const measure = (): void => {
    if (isAlive(service.process.child.pid!)) mostMib = Math.max(mostMib, service.memoryMib());
  };
  const timer = setInterval(measure, MEMORY_MEASURED_EVERY_MS);
  await work().finally(() => clearInterval(timer));
  console.log(`resident memory: ${mostMib} MiB at most, ${beforeMib} MiB before`);
  return mostMib - beforeMib;
}
