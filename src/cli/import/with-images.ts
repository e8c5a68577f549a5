import { loadConfig } from '../../config.ts';
import { openDecoder } from '../../image/decoder.ts';
import { openStorage } from '../../image/storage.ts';
import type { ImageDependencies } from '../../image/upload-image.ts';
import { monitorStorage } from '../../image/monitored-storage.ts';
import { openOutbound } from '../../outbound/outbound.ts';
import { commandLog } from '../database/command-context.ts';

/** Runs `work` with the configured storage of pictures, and a decoder of its own. */
export async function withImages<T>(work: (images: ImageDependencies) => Promise<T>): Promise<T> {
  const { storageUrl, image } = loadConfig();
  const images: ImageDependencies = {
    storage: monitorStorage(await openStorage(storageUrl), commandLog),
    decoder: openDecoder(commandLog),
    outbound: openOutbound(image),
  };
  try {
    return await work(images);
  } finally {
    for (const part of Object.values(images)) part.close();
  }
}
