import { describe, expect, it } from 'vitest';
import { DecodeQueue, type QueuedJob, type QueueLimits } from '../../../src/image/decoding/decode-queue.ts';

type Job = QueuedJob & { name: string };

const refused: string[] = [];
const job = (name: string, bytes = 1): Job => ({
  name,
  owner: name[0]!,
  weight: 1,
  bytes,
  refuse: () => void refused.push(name),
});

function queueOf(names: string[], limits: Partial<QueueLimits> = {}, bytes = 1): DecodeQueue<Job> {
  refused.length = 0;
  const queue = new DecodeQueue<Job>({
    running: 4,
    runningPerMerchant: 2,
    waiting: 100,
    waitingBytes: 1_000,
    ...limits,
  });
  for (const name of names) queue.push(job(name, bytes));
  return queue;
}

function drain(queue: DecodeQueue<Job>): string[] {
  const names: string[] = [];
  for (let next = queue.next(); next; next = queue.next()) {
    names.push(next.name);
    queue.done(next);
  }
  return names;
}

describe('a queue of jobs', () => {
  it('serves merchants in turns, and the jobs of each in order', () => {
    expect(drain(queueOf(['a1', 'a2', 'a3', 'b1', 'c1', 'b2']))).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('runs no more than a part of the jobs of one merchant at once', () => {
    const queue = queueOf(['a1', 'a2', 'a3', 'b1']);
    const first = queue.next()!;
    expect([first, queue.next(), queue.next(), queue.next()].map((next) => next?.name)).toEqual([
      'a1',
      'b1',
      'a2',
      undefined,
    ]);
    queue.done(first);
    expect(queue.next()?.name).toBe('a3');
    expect(queue.next()).toBeUndefined();
  });

  it('refuses the newest job of the merchant with the most waiting jobs, if there are too many', () => {
    const queue = queueOf(['a1', 'a2', 'a3', 'b1', 'c1'], { waiting: 3 });
    queue.trim();
    expect(refused).toEqual(['a3', 'a2']);
    expect(drain(queue)).toEqual(['a1', 'b1', 'c1']);
  });

  it('refuses the newest job of the merchant with the most waiting bytes, if there are too many', () => {
    const queue = queueOf(['a1', 'a2', 'a3', 'a4'], { waitingBytes: 100 });
    queue.push(job('b1', 60));
    queue.push(job('c1', 40));
    queue.trim();
    expect(refused).toEqual(['b1']);
    expect(drain(queue)).toEqual(['a1', 'c1', 'a2', 'a3', 'a4']);
  });

  it('refuses the last one of several merchants with the same number', () => {
    const queue = queueOf(['a1', 'b1', 'c1'], { waiting: 2 });
    queue.trim();
    expect(refused).toEqual(['c1']);
  });

  it('accepts jobs up to its limits', () => {
    const queue = queueOf(['a1', 'b1'], { waiting: 2, waitingBytes: 20 }, 10);
    queue.trim();
    expect(refused).toEqual([]);
  });

  it('accepts new jobs after others were refused or started', () => {
    const queue = queueOf(['a1', 'a2'], { waiting: 1 });
    queue.trim();
    queue.done(queue.next()!);
    queue.push(job('a3'));
    queue.trim();
    expect([refused, drain(queue)]).toEqual([['a2'], ['a3']]);
  });

  it('refuses all jobs when it is cleared', () => {
    const queue = queueOf(['a1', 'b1', 'b2']);
    queue.clear();
    expect(refused).toEqual(['a1', 'b1', 'b2']);
    expect(queue.next()).toBeUndefined();
  });
});
