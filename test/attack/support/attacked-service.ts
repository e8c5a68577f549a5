import { expect } from 'vitest';
import { percentilesOf } from '../../../bench/percentiles.ts';
import { type Merchant, type OwnService, startOwnService } from '../../support/own-service.ts';
import { isAlive } from '../../support/process.ts';
import { SecondMerchant } from './second-merchant.ts';

/** The longest time that another merchant may wait during an attack. */
export const LONGEST_WAIT_MS = 1_000;

export type AttackedService = OwnService & { attacker: Merchant; second: SecondMerchant };

/** The service in a process of its own, with a merchant that attacks it, and another one that must not wait. */
export async function startAttackedService(environment: Record<string, string> = {}): Promise<AttackedService> {
  const service = await startOwnService(environment);
  const second = new SecondMerchant({ url: service.url, token: (await service.createMerchant()).token });
  return {
    ...service,
    attacker: await service.createMerchant(),
    second,
    stop: async () => {
      await second.stop();
      await service.stop();
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
