import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Observation, ObserverData } from './observer.ts';

/**
 * A merchant that measures how long it waits, in a thread of its own. The thread stays for the next attack: starting one
 * took 0.2 s.
 */
export class SecondMerchant {
  readonly #data: ObserverData;
  #observer: Worker | undefined;

  constructor(data: ObserverData) {
    this.#data = data;
  }

  /** Sends eight requests a second during `work`. */
  async observe(work: () => Promise<unknown>): Promise<Observation> {
    const observer = (this.#observer ??= new Worker(new URL('./observer.ts', import.meta.url), {
      workerData: this.#data,
    }));
    try {
      observer.postMessage('begin');
      await once(observer, 'message');
      await work();
      observer.postMessage('stop');
      const [observation] = (await once(observer, 'message')) as [Observation];
      return observation;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    const observer = this.#observer;
    this.#observer = undefined;
    await observer?.terminate();
  }
}
