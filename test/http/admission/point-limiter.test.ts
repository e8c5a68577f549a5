import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PointLimiter, pointLimits } from '../../../src/http/admission/point-limiter.ts';

const app = { merchantId: 'm', authorizedAppId: 'a' };
const limits = { maximumAvailable: 10_000, restoreRate: 1_000 };
const log = { warn: vi.fn<() => void>() };

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'], now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

describe('a bucket', () => {
  it('holds its points, refuses more, and refills at its rate', () => {
    const limiter = new PointLimiter(limits, async () => await new Promise(() => {}), log);
    expect(limiter.spend(app, 10_000)).toBeNull();
    const refusal = limiter.spend(app, 2_500)!;
    expect(refusal).toMatchObject({
      status: 429,
      code: 'RATE_LIMITED',
      headers: { 'retry-after': '3', 'ratelimit-policy': '"points";q=10000;w=10', ratelimit: '"points";r=0;t=3' },
    });
    vi.advanceTimersByTime(2_500);
    expect(limiter.spend(app, 2_500)).toBeNull();
    expect(limiter.spend(app, 1)).not.toBeNull();
    vi.advanceTimersByTime(60_000);
    expect(limiter.status(app)).toEqual({ ...limits, currentlyAvailable: 10_000 });
    limiter.close();
  });

  it('belongs to one app', () => {
    const limiter = new PointLimiter(limits, async () => await new Promise(() => {}), log);
    limiter.spend(app, 10_000);
    expect(limiter.spend({ ...app, authorizedAppId: 'b' }, 10_000)).toBeNull();
    limiter.close();
  });

  it('holds at least one request, and does not exist at a rate of 0', () => {
    expect(pointLimits(5)).toEqual({ maximumAvailable: 100_000, restoreRate: 5 });
    expect(pointLimits(50_000_000)).toEqual({ maximumAvailable: 500_000_000, restoreRate: 50_000_000 });
    expect(pointLimits(0)).toBeNull();
  });
});

describe('spending', () => {
  it('is written to the database once a second while much is spent, and otherwise not at all', async () => {
    const shared: number[] = [];
    const limiter = new PointLimiter(limits, async (_, spentMs) => (shared.push(spentMs), { fullInMs: spentMs }), log);
    limiter.spend(app, 99);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(shared).toEqual([]);
    for (let request = 0; request < 100; request++) {
      limiter.spend(app, 20);
      await vi.advanceTimersByTimeAsync(50);
    }
    expect(shared.length).toBeGreaterThanOrEqual(5);
    expect(shared.length).toBeLessThanOrEqual(6);
    await vi.advanceTimersByTimeAsync(60_000);
    const before = shared.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(shared.length).toBe(before);
    expect(shared.reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(99 + 2_000, -2);
  });

  it('of other nodes is read at the same time, and points spent meanwhile are kept', async () => {
    let answer: (row: { fullInMs: number }) => void = () => {};
    const limiter = new PointLimiter(limits, async () => await new Promise((resolve) => (answer = resolve)), log);
    limiter.spend(app, 1_000);
    await vi.advanceTimersByTimeAsync(0);
    limiter.spend(app, 500);
    answer({ fullInMs: 8_000 });
    await vi.advanceTimersByTimeAsync(0);
    expect(limiter.status(app).currentlyAvailable).toBe(10_000 - 8_000 - 500);
    limiter.close();
  });

  it('is written later after a failure', async () => {
    const shared: number[] = [];
    let isDown = true;
    const limiter = new PointLimiter(
      limits,
      async (_, spentMs) => {
        if (isDown) throw new Error('the database is away');
        shared.push(spentMs);
        return { fullInMs: spentMs };
      },
      log,
    );
    limiter.spend(app, 1_000);
    await vi.advanceTimersByTimeAsync(0);
    expect(log.warn).toHaveBeenCalledOnce();
    isDown = false;
    limiter.spend(app, 1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(shared).toEqual([1_001]);
  });
});
