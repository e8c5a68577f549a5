import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EndpointSlots, MAX_SLOTS_PER_ENDPOINT } from '../../../src/worker/webhooks/endpoint-slots.ts';
import type { Job } from '../../../src/worker/webhooks/job.ts';
import { PayloadBudget } from '../../../src/worker/webhooks/payload-budget.ts';
import { type Admission, PendingJobs } from '../../../src/worker/webhooks/pending-jobs.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const owner = (endpointKey: string) => ({ merchantId: 'm', endpointKey });
const jobs = (endpointKey: string, count: number): Job[] =>
  Array.from({ length: count }, (_, n) => ({ id: `${endpointKey}${n}`, ...owner(endpointKey), retryCount: 0 }));
const sizes = ({ admitted, refused }: Admission) => [admitted.length, refused.length];

function pendingWith(taken: Record<string, number>) {
  const slots = new EndpointSlots();
  for (const [endpointKey, count] of Object.entries(taken))
    for (let n = 0; n < count; n++) slots.take(owner(endpointKey));
  return { slots, pending: new PendingJobs(slots, new PayloadBudget()) };
}

it('admits jobs for which there is a slot, and keeps the others until slots are released', () => {
  const { slots, pending } = pendingWith({ busy: 100 });
  pending.add([...jobs('busy', 60), ...jobs('idle', 10)]);
  expect(sizes(pending.admit())).toEqual([10, 0]);
  for (let n = 0; n < 20; n++) slots.release(owner('busy'), false);
  expect(sizes(pending.admit())).toEqual([48, 0]);
  expect(pending.isEmpty()).toBe(false);
  for (let n = 0; n < 12; n++) slots.release(owner('busy'), false);
  expect(sizes(pending.admit())).toEqual([12, 0]);
  expect(pending.isEmpty()).toBe(true);
});

it('refuses jobs that got no slot in time, and lets no other job wait for this endpoint until it was idle', () => {
  const { slots, pending } = pendingWith({ slow: MAX_SLOTS_PER_ENDPOINT });
  pending.add(jobs('slow', 5));
  expect(sizes(pending.admit())).toEqual([0, 0]);
  expect(pending.remainingMs()).toBeGreaterThan(0);
  vi.advanceTimersByTime(60);
  expect(pending.remainingMs()).toBe(0);
  expect(sizes(pending.admit())).toEqual([0, 5]);
  pending.add(jobs('slow', 5));
  expect(sizes(pending.admit())).toEqual([0, 5]);
  for (let n = 0; n < MAX_SLOTS_PER_ENDPOINT; n++) slots.release(owner('slow'), false);
  for (let n = 0; n < MAX_SLOTS_PER_ENDPOINT; n++) slots.take(owner('slow'));
  pending.add(jobs('slow', 5));
  expect(sizes(pending.admit())).toEqual([0, 0]);
});

it('lets no job wait, for any endpoint, if its merchant has all its slots and was too slow before', () => {
  const { pending } = pendingWith({ a: 128, b: 128 });
  pending.add(jobs('c', 1));
  expect(sizes(pending.admit())).toEqual([0, 0]);
  vi.advanceTimersByTime(60);
  expect(sizes(pending.admit())).toEqual([0, 1]);
  pending.add(jobs('d', 1));
  expect(sizes(pending.admit())).toEqual([0, 1]);
});

it('answers the remaining jobs when it is drained', () => {
  const { pending } = pendingWith({ busy: MAX_SLOTS_PER_ENDPOINT });
  pending.add(jobs('busy', 3));
  pending.admit();
  expect(pending.drain()).toHaveLength(3);
  expect(pending.isEmpty()).toBe(true);
});
