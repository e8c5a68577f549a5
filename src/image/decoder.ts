import type { Logger } from '../context.ts';
import type { Decoded, OriginalTask, RenditionTask } from './decoding/decoder-child.ts';
import { DecoderPool, type PoolSettings } from './decoding/decoder-pool.ts';
import type { Original } from './decoding/pixels.ts';

/** The merchant is the picture's owner. A rendition's task is asked for when its turn comes, so that it waits without its bytes. */
export type Decoder = {
  original(merchantId: string, task: OriginalTask): Promise<Decoded<Original>>;
  rendition(merchantId: string, task: () => Promise<RenditionTask>): Promise<Decoded<Uint8Array>>;
  close(): void;
};

/**
 * Decoding runs in child processes, not in threads: a picture that crashes libvips, hangs it or eats
 * its memory takes one child with it, which can be killed, and the service goes on. The children get
 * nothing of the environment, so there is no secret in them, and a lower priority than requests.
 * Originals and renditions have processes of their own: uploads never delay pictures that are shown, nor the other way round.
 */
export function openDecoder(log: Logger, settings: PoolSettings = {}): Decoder {
  const originals = new DecoderPool(log, settings);
  const renditions = new DecoderPool(log, settings);
  return {
    original: async (merchantId, task) =>
      (await originals.decode({ merchantId, bytes: task.bytes.length, task: async () => task })) as Decoded<Original>,
    rendition: async (merchantId, task) =>
      (await renditions.decode({ merchantId, bytes: 0, task })) as Decoded<Uint8Array>,
    close() {
      originals.close();
      renditions.close();
    },
  };
}
