import type { Logger } from '../context.ts';
import type { Decoded, OriginalTask, RenditionTask } from './decoding/decoder-child.ts';
import { type DecoderCounts, DecoderPool, type PoolSettings } from './decoding/decoder-pool.ts';
import type { Original } from './decoding/pixels.ts';

export type { DecoderCounts };

/**
 * `merchantId` is the owner of the picture. `task` of a rendition is called when a process is free, so that no bytes
 * are held while it waits.
 */
export type Decoder = {
  original(merchantId: string, task: OriginalTask): Promise<Decoded<Original>>;
  rendition(merchantId: string, task: () => Promise<RenditionTask>): Promise<Decoded<Uint8Array>>;
  counts(): Record<'originals' | 'renditions', DecoderCounts>;
  close(): void;
};

/**
 * Decodes in child processes, not in threads: a picture that crashes libvips, hangs it or exhausts its memory ends one
 * child, and the service goes on. Children get no environment variables, so no secrets, and a lower priority than
 * requests. Originals and renditions have separate processes, so that uploads and displayed pictures do not delay each
 * other.
 */
export function openDecoder(log: Logger, settings: PoolSettings = {}): Decoder {
  const originals = new DecoderPool(log, settings);
  const renditions = new DecoderPool(log, settings);
  return {
    original: async (merchantId, task) =>
      (await originals.decode({ merchantId, bytes: task.bytes.length, task: async () => task })) as Decoded<Original>,
    rendition: async (merchantId, task) =>
      (await renditions.decode({ merchantId, bytes: 0, task })) as Decoded<Uint8Array>,
    counts: () => ({ originals: originals.counts, renditions: renditions.counts }),
    close() {
      originals.close();
      renditions.close();
    },
  };
}
