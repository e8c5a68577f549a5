import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { BlockingWorkQueue } from '../../../src/http/admission/blocking-work-queue.ts';
import { session } from '../../support/small-schema.ts';

const of = (merchantId: string) => ({ ...session(), merchantId });

describe('blocking work', () => {
  it('is executed round robin by merchant, and the event loop does other work between two pieces', async () => {
    const queue = new BlockingWorkQueue();
    const done: string[] = [];
    const work = async (name: string) => await queue.run(of(name[0]!), new EventEmitter(), () => void done.push(name));
    const other = new Promise<void>((resolve) => setImmediate(() => (done.push('other work'), resolve())));
    await Promise.all([work('a1'), work('a2'), work('a3'), work('b1'), other]);
    expect(done).toEqual(['a1', 'other work', 'a2', 'b1', 'a3']);
  });

  it('continues after a piece that fails', async () => {
    const queue = new BlockingWorkQueue();
    const failing = queue.run(of('a'), new EventEmitter(), () => {
      throw new Error('of the work');
    });
    await expect(failing).rejects.toThrow('of the work');
    expect(await queue.run(of('a'), new EventEmitter(), () => 'done')).toBe('done');
  });
});
