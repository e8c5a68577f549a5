import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { MainThread } from '../../../src/http/admission/blocking-work.ts';
import { session } from '../../support/small-schema.ts';

const of = (merchantId: string) => ({ ...session(), merchantId });

describe('long work on the main thread', () => {
  it('is done for one merchant after the other, with other work between two pieces', async () => {
    const mainThread = new MainThread();
    const done: string[] = [];
    const work = async (name: string) =>
      await mainThread.run(of(name[0]!), new EventEmitter(), () => void done.push(name));
    const other = new Promise<void>((resolve) => setImmediate(() => (done.push('other work'), resolve())));
    await Promise.all([work('a1'), work('a2'), work('a3'), work('b1'), other]);
    expect(done).toEqual(['a1', 'other work', 'a2', 'b1', 'a3']);
  });

  it('goes on after a piece that fails', async () => {
    const mainThread = new MainThread();
    const failing = mainThread.run(of('a'), new EventEmitter(), () => {
      throw new Error('of the work');
    });
    await expect(failing).rejects.toThrow('of the work');
    expect(await mainThread.run(of('a'), new EventEmitter(), () => 'done')).toBe('done');
  });
});
