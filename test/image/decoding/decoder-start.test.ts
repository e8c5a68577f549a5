import { ChildProcess } from 'node:child_process';
import { expect, it, onTestFinished, vi } from 'vitest';
import { decodeImage } from '../../../src/image/decode.ts';
import { type Decoder, openDecoder } from '../../../src/image/decoder.ts';
import { childProcesses } from '../children.ts';
import { silent } from '../log.ts';
import { picture } from '../pictures.ts';

const small = await picture(20, 20).jpeg().toBuffer();
const unavailable = { code: 'SERVICE_UNAVAILABLE' };

it('refuses pictures while no process can be started, and decodes the next one', async () => {
  const decoder = open();
  const memory = withoutMemory();
  await expect(decode(decoder)).rejects.toMatchObject(unavailable);
  await expect(decode(decoder)).rejects.toMatchObject(unavailable);
  memory.mockRestore();
  await expect(decode(decoder)).resolves.toMatchObject({ width: 20 });
});

it.runIf(process.platform === 'linux')('refuses pictures if a process that has ended cannot be replaced', async () => {
  const decoder = open({ processes: 1 });
  await decode(decoder);
  process.kill(childProcesses()[0]!, 'SIGKILL');
  await vi.waitFor(() => expect(childProcesses()).toEqual([]));
  const memory = withoutMemory();
  await expect(decode(decoder)).rejects.toMatchObject(unavailable);
  memory.mockRestore();
  await expect(decode(decoder)).resolves.toMatchObject({ width: 20 });
});

it('returns the picture that was decoded last before a process that has grown cannot be replaced', async () => {
  const decoder = open({ processes: 1, retireAboveBytes: 1 });
  await decode(decoder);
  const memory = withoutMemory();
  await expect(decode(decoder)).resolves.toMatchObject({ width: 20 });
  memory.mockRestore();
  await expect(decode(decoder)).resolves.toMatchObject({ width: 20 });
});

/** `fork` throws this error, while it reports others, such as EAGAIN, by an event. */
function withoutMemory() {
  const prototype = ChildProcess.prototype as ChildProcess & { spawn(options: object): void };
  return vi.spyOn(prototype, 'spawn').mockImplementation(() => {
    throw Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM' });
  });
}

function open(settings?: Parameters<typeof openDecoder>[1]): Decoder {
  const decoder = openDecoder(silent, settings);
  onTestFinished(async () => {
    vi.restoreAllMocks();
    decoder.close();
    if (process.platform === 'linux') await vi.waitFor(() => expect(childProcesses()).toEqual([]));
  });
  return decoder;
}

function decode(decoder: Decoder) {
  return decodeImage({ merchantId: 'a', decoder }, small, ['file']);
}
