import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FairScheduler, type SchedulerLimits } from '../../src/limits/fair-scheduler.ts';

type Item = { owner: string; weight: number; name: string; held?: number; isShort?: boolean };

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const pool: SchedulerLimits = { max: 4, maxPerOwner: 3 };
const item = (name: string, weight = 1): Item => ({ owner: name[0]!, weight, name });

/** A scheduler whose items run until they are ended. */
class Simulation {
  readonly scheduler: FairScheduler<Item>;
  readonly running: { item: Item; sinceMs: number }[] = [];
  readonly started: string[] = [];

  constructor(limits: SchedulerLimits) {
    this.scheduler = new FairScheduler(limits);
  }

  submit(one: Item): void {
    if (this.scheduler.tryStart(one.owner, one.weight)) return this.#started(one);
    this.scheduler.push(one);
    this.#startNext();
  }

  /** Without `tryStart`. */
  queue(one: Item): void {
    this.scheduler.push(one);
    this.#startNext();
  }

  /** Items that are known to be long. */
  queueAll(...names: string[]): void {
    for (const name of names) this.queue({ ...item(name), isShort: false });
  }

  submitAll(...names: string[]): void {
    for (const name of names) this.submit(item(name));
  }

  end(name: string): void {
    const index = this.running.findIndex((one) => one.item.name === name);
    const [ended] = this.running.splice(index, 1);
    const { owner, weight } = ended!.item;
    this.scheduler.record(owner, performance.now() - ended!.sinceMs);
    this.scheduler.end(owner, weight);
    this.#startNext();
  }

  runningOf(owner: string): number {
    return this.running.reduce((sum, { item }) => (item.owner === owner ? sum + item.weight : sum), 0);
  }

  #startNext(): void {
    for (let next = this.scheduler.next(); next; next = this.scheduler.next()) this.#started(next);
  }

  #started(one: Item): void {
    this.running.push({ item: one, sinceMs: performance.now() });
    this.started.push(one.name);
  }
}

describe('the units of a scheduler', () => {
  it('are for an owner alone, except a reserved quarter', () => {
    const simulation = new Simulation(pool);
    simulation.submitAll('a1', 'a2', 'a3', 'a4', 'a5');
    expect(simulation.started).toEqual(['a1', 'a2', 'a3']);
  });

  it('are counted before items start: within the share, the unreserved units, and what others left', () => {
    const simulation = new Simulation({ max: 8, maxPerOwner: 6 });
    const startable = (owner: string): number => simulation.scheduler.startable(owner, 1);
    expect(startable('a')).toBe(6);
    simulation.submitAll('a1', 'a2', 'a3', 'a4');
    expect([startable('a'), startable('b')]).toEqual([2, 2]);
    simulation.submit(item('b1'));
    expect([startable('a'), startable('b')]).toEqual([0, 1]);
    simulation.submitAll('b2', 'c1', 'd1');
    expect([simulation.scheduler.running, startable('e')]).toEqual([8, 0]);
  });

  it('are divided between active owners, and the reserved quarter stays free for a third', () => {
    const simulation = new Simulation(pool);
    simulation.submitAll('a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'b3');
    expect(simulation.started).toEqual(['a1', 'a2', 'a3', 'b1']);
    simulation.end('a1');
    expect(simulation.scheduler.running).toBe(3);
    simulation.submit(item('c1'));
    expect(simulation.started.at(-1)).toBe('c1');
  });

  it('are not reserved for owners of long items if there are more of them than units', () => {
    const simulation = new Simulation(pool);
    simulation.submit(item('z1'));
    simulation.end('z1');
    const owners = ['a', 'b', 'c', 'd', 'e'];
    simulation.submitAll(...[1, 2, 3].flatMap((n) => owners.map((owner) => `${owner}${n}`)));
    // The scheduler does not know yet that their items are long.
    expect(simulation.started).toEqual(['z1', 'a1', 'b1', 'c1', 'd1']);
    for (const name of ['a1', 'b1', 'c1', 'd1']) {
      vi.advanceTimersByTime(1_000);
      simulation.end(name);
    }
    vi.advanceTimersByTime(1_000);
    simulation.end('e1');
    expect(simulation.scheduler.running).toBe(3);
    simulation.submit(item('z2'));
    expect(simulation.started.at(-1)).toBe('z2');
  });

  it('are reserved for items that are known to be short, however long those of their owner took', () => {
    const simulation = new Simulation({ max: 3, maxPerOwner: 2, reserved: 1 });
    simulation.queueAll('a1', 'a2', 'b1');
    expect(simulation.started).toEqual(['a1', 'a2']);
    simulation.queue({ ...item('c1'), isShort: true });
    expect(simulation.started.at(-1)).toBe('c1');
    vi.advanceTimersByTime(1_000);
    simulation.end('c1');
    simulation.queue({ ...item('c2'), isShort: true });
    expect(simulation.started.at(-1)).toBe('c2');
  });

  it('are for long items while short ones use the others', () => {
    const simulation = new Simulation(pool);
    const short = (name: string): Item => ({ ...item(name), isShort: true });
    for (const name of ['b1', 'c1', 'd1', 'e1']) simulation.queue(short(name));
    simulation.queueAll('a1');
    for (const name of ['b2', 'c2', 'd2', 'e2']) simulation.queue(short(name));
    vi.advanceTimersByTime(10);
    simulation.end('b1');
    expect(simulation.started.at(-1)).toBe('a1');
  });

  it('are all for the common owner, which does not reduce the shares of others', () => {
    const simulation = new Simulation({ ...pool, commonOwner: 's' });
    simulation.submitAll('s1', 'a1', 'a2', 'a3');
    expect(simulation.started).toEqual(['s1', 'a1', 'a2']);
    simulation.submitAll('s2');
    expect(simulation.started.at(-1)).toBe('s2');
  });

  it('are first for the common owner, up to half of them, whatever its items took', () => {
    const simulation = new Simulation({ ...pool, commonOwner: 's' });
    simulation.submit(item('s1'));
    vi.advanceTimersByTime(1_000);
    simulation.end('s1');
    simulation.submitAll('a1', 'a2', 'b1', 'b2', 's2', 's3', 's4', 'c1');
    expect(simulation.started).toEqual(['s1', 'a1', 'a2', 'b1', 's2']);
    for (const name of ['a1', 'a2', 'b1']) simulation.end(name);
    expect(simulation.started.slice(5)).toEqual(['s3', 'c1', 'b2']);
    simulation.end('b2');
    expect(simulation.started.at(-1)).toBe('s4');
  });
});

describe('the order', () => {
  const one: SchedulerLimits = { max: 1, maxPerOwner: 1 };

  it('is round robin between owners that have used the same time', () => {
    const simulation = new Simulation(one);
    simulation.submitAll('x1', 'a1', 'a2', 'a3', 'b1', 'b2', 'c1');
    for (const name of ['x1', 'a1', 'b1', 'c1', 'a2', 'b2']) simulation.end(name);
    expect(simulation.started).toEqual(['x1', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('is by the time that owners have used, not by the number of their items', () => {
    const simulation = new Simulation(one);
    simulation.submitAll('x1', 'a1', 'a2', 'b1', 'b2', 'b3', 'b4');
    for (const [name, tookMs] of Object.entries({ x1: 0, a1: 100, b1: 10, b2: 10, b3: 10, b4: 10 })) {
      vi.advanceTimersByTime(tookMs);
      simulation.end(name);
    }
    expect(simulation.started).toEqual(['x1', 'a1', 'b1', 'b2', 'b3', 'b4', 'a2']);
  });

  it('gives an owner no credit for the time in which it was idle', () => {
    const simulation = new Simulation(one);
    simulation.submitAll('a1', 'a2');
    vi.advanceTimersByTime(60_000);
    simulation.end('a1');
    simulation.submitAll('b1', 'b2', 'a3');
    vi.advanceTimersByTime(1_000);
    simulation.end('a2');
    vi.advanceTimersByTime(2_000);
    simulation.end('b1');
    expect(simulation.started).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('counts what an owner has used before it was idle for a moment', () => {
    const simulation = new Simulation(one);
    simulation.submitAll('x1', 'a1', 'b1', 'b2', 'b3');
    simulation.end('x1');
    vi.advanceTimersByTime(1_000);
    simulation.end('a1');
    simulation.submit(item('a2'));
    vi.advanceTimersByTime(10);
    simulation.end('b1');
    vi.advanceTimersByTime(10);
    simulation.end('b2');
    expect(simulation.started).toEqual(['x1', 'a1', 'b1', 'b2', 'b3']);
  });

  it('begins with items that already hold units, the lightest first', () => {
    const simulation = new Simulation({ max: 10, maxPerOwner: 10, reserved: 0 });
    simulation.submit(item('a1', 8));
    simulation.submit(item('a2', 4));
    simulation.submit({ ...item('a3', 3), held: 4 });
    simulation.submit({ ...item('a4', 2), held: 4 });
    expect(simulation.started).toEqual(['a1', 'a4']);
    simulation.end('a4');
    simulation.end('a1');
    expect(simulation.started).toEqual(['a1', 'a4', 'a3', 'a2']);
  });

  it('has nothing before a heavy item that waits, except on reserved units', () => {
    const simulation = new Simulation({ max: 16, maxPerOwner: 12 });
    simulation.submit(item('x1', 6));
    simulation.submit(item('y1', 5));
    simulation.submit(item('a1', 12));
    simulation.submit(item('b1', 1));
    expect(simulation.started).toEqual(['x1', 'y1']);
    simulation.end('x1');
    simulation.end('y1');
    expect(simulation.started).toEqual(['x1', 'y1', 'a1', 'b1']);
  });
});

it('a removed item does not start, and its owner is no longer active', () => {
  const simulation = new Simulation(pool);
  simulation.submitAll('a1', 'a2', 'a3', 'a4');
  const b1 = item('b1');
  simulation.scheduler.push(b1);
  simulation.scheduler.remove(b1);
  simulation.end('a1');
  expect(simulation.started).toEqual(['a1', 'a2', 'a3', 'a4']);
  expect([simulation.scheduler.waitingOf('b'), simulation.scheduler.waitingOf('a')]).toEqual([0, 0]);
});

it('an owner with short items waits less than an item of twenty owners takes', () => {
  const simulation = new Simulation(pool);
  const ITEM_MS = 1_000;
  simulation.submit({ owner: 'light', weight: 1, name: 'light' });
  vi.advanceTimersByTime(2);
  simulation.end('light');
  for (let owner = 0; owner < 20; owner++)
    for (let client = 0; client < 8; client++)
      simulation.submit({ owner: `heavy ${owner}`, weight: 1, name: `heavy ${owner}.${client}` });
  const waitsMs: number[] = [];
  const submittedAtMs = new Map<string, number>();
  for (let ms = 0; ms < 60_000; ms++) {
    vi.advanceTimersByTime(1);
    const ended = simulation.running.filter(
      ({ item, sinceMs }) => performance.now() - sinceMs >= (item.owner === 'light' ? 2 : ITEM_MS),
    );
    for (const { item } of ended) {
      simulation.end(item.name);
      if (item.owner === 'light') waitsMs.push(performance.now() - submittedAtMs.get(item.name)!);
      else simulation.submit(item);
    }
    if (ms % 125 !== 0) continue;
    submittedAtMs.set(`light ${ms}`, performance.now());
    simulation.submit({ owner: 'light', weight: 1, name: `light ${ms}` });
  }
  waitsMs.sort((a, b) => a - b);
  expect(waitsMs.at(-1)).toBeLessThan(ITEM_MS + 10);
  // In the first second the scheduler does not know the durations of the other owners' items yet.
  expect(waitsMs[Math.floor(waitsMs.length * 0.98) - 1]).toBeLessThan(10);
});

it('an owner with long items is served while twenty owners have short items waiting', () => {
  const simulation = new Simulation(pool);
  const tookMs = (name: string): number => (name.startsWith('long') ? 200 : 10);
  const submit = (owner: string, number: number): void =>
    simulation.submit({ owner, weight: 1, name: `${owner}.${number}` });
  for (let number = 0; number < 160; number++) submit(`short ${number % 20}`, number);
  for (let number = 0; number < 2; number++) submit('long', number);
  for (let ms = 0, number = 160; ms < 10_000; ms++) {
    vi.advanceTimersByTime(1);
    const ended = simulation.running.filter(({ item, sinceMs }) => performance.now() - sinceMs >= tookMs(item.name));
    for (const { item } of ended) {
      simulation.end(item.name);
      submit(item.owner, number++);
    }
  }
  // A share of one in twenty-one of four units is 1.9 s.
  const longStarted = simulation.started.filter((name) => name.startsWith('long')).length;
  expect(longStarted).toBeGreaterThanOrEqual(8);
});

describe('with any items of any owners', () => {
  const MAX = 16;
  const OWNERS = ['a', 'b', 'c', 'd', 'e', 'f'];
  const limits: SchedulerLimits = { max: MAX, maxPerOwner: 12 };
  type Step = { owner: string; weight: number; tookMs: number; isEnd: boolean };
  const steps = fc.array(
    fc.record<Step>({
      owner: fc.constantFrom(...OWNERS),
      weight: fc.integer({ min: 1, max: 6 }),
      tookMs: fc.integer({ min: 0, max: 2_000 }),
      isEnd: fc.boolean(),
    }),
    { maxLength: 200 },
  );

  function run(simulation: Simulation, list: Step[], afterEach: () => void = () => {}): void {
    for (const [index, { owner, weight, tookMs, isEnd }] of list.entries()) {
      vi.advanceTimersByTime(tookMs);
      const ended = simulation.running[index % Math.max(1, simulation.running.length)];
      if (isEnd && ended) simulation.end(ended.item.name);
      else simulation.submit({ owner, weight, name: String(index) });
      afterEach();
    }
  }

  it('every item starts once, when those that run end', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const simulation = new Simulation(limits);
        run(simulation, list);
        while (simulation.running.length > 0) simulation.end(simulation.running[0]!.item.name);
        expect(simulation.scheduler.waiting).toBe(0);
        expect(simulation.scheduler.running).toBe(0);
        expect(new Set(simulation.started).size).toBe(simulation.started.length);
      }),
    );
  });

  it('no owner starts more than its share, and none with something running starts on the reserved units', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const simulation = new Simulation(limits);
        let before = new Map<string, number>();
        run(simulation, list, () => {
          expect(simulation.scheduler.running).toBeLessThanOrEqual(MAX);
          const active = OWNERS.filter(
            (owner) => simulation.runningOf(owner) > 0 || simulation.scheduler.waitingOf(owner) > 0,
          );
          for (const owner of active) {
            const running = simulation.runningOf(owner);
            const isFirst = simulation.running.filter(({ item }) => item.owner === owner).length === 1;
            if (running <= (before.get(owner) ?? 0) || isFirst) continue;
            expect(running).toBeLessThanOrEqual(Math.min(limits.maxPerOwner, MAX / active.length));
          }
          before = new Map(OWNERS.map((owner) => [owner, simulation.runningOf(owner)]));
        });
      }),
    );
  });

  it('an owner with nothing running waits only while all units but the reserved ones are in use', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const simulation = new Simulation(pool);
        let leastRunning = Infinity;
        const single = list.map((step) => ({ ...step, weight: 1 }));
        run(simulation, single, () => {
          const isWaiting = (owner: string) => simulation.scheduler.waitingOf(owner) > 0;
          if (OWNERS.some((owner) => simulation.runningOf(owner) === 0 && isWaiting(owner)))
            leastRunning = Math.min(leastRunning, simulation.scheduler.running);
        });
        expect(leastRunning).toBeGreaterThanOrEqual(3);
      }),
    );
  });
});
