import type { Logger } from '../context.ts';
import { isShortOriginal } from './decoding/decode-cost.ts';
import type { Decoded, OriginalTask, RenditionTask } from './decoding/decoder-child.ts';
import { type DecodeRequest, type DecoderCounts, DecoderPool, type PoolSettings } from './decoding/decoder-pool.ts';
import type { Original } from './decoding/pixels.ts';

export type { DecoderCounts };

/** `task` is called when a process is free, so that no bytes are held while the request waits. */
type RenditionRequest = Omit<DecodeRequest, 'bytes'> & { readonly task: () => Promise<RenditionTask> };

/** `merchantId` is the owner of the picture. */
export type Decoder = {
  original(merchantId: string, task: OriginalTask): Promise<Decoded<Original>>;
  rendition(request: RenditionRequest): Promise<Decoded<Uint8Array>>;
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
      (await originals.decode({
        merchantId,
        bytes: task.bytes.length,
        isShort: isShortOriginal(task.bytes, task.format),
        task: async () => task,
      })) as Decoded<Original>,
    rendition: async (request) => (await renditions.decode({ ...request, bytes: 0 })) as Decoded<Uint8Array>,
    counts: () => ({ originals: originals.counts, renditions: renditions.counts }),
    close() {
      originals.close();
      renditions.close();
    },
  };
}
