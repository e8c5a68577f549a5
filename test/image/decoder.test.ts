import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { decodeImage } from '../../src/image/decode.ts';
import { openDecoder, type Decoder } from '../../src/image/decoder.ts';
import { childProcesses, residentBytes } from './children.ts';
import { silent } from './log.ts';
import { picture } from './pictures.ts';

const small = await picture(20, 20).jpeg().toBuffer();
// Decoding it takes almost half a second and 165 MB.
const SIDE = 4_450;
const large = await picture(SIDE, SIDE, 4).toColourspace('rgb16').png({ progressive: true }).toBuffer();

describe.runIf(process.platform === 'linux')('a decoder process that dies', () => {
  // docs/reliability-tests.md: 66
  it('is replaced, and its picture is decoded by the new process', async () => {
    const { decoder, warnings } = open({ processes: 1 });
    await decode(decoder, small);
    const [first] = childProcesses();
    const decoding = decode(decoder, large);
    process.kill(first!, 'SIGKILL');
    await expect(decoding).resolves.toMatchObject({ width: SIDE });
    expect(warnings).toEqual(['image decoder died']);
  });

  it('while it is idle is replaced', async () => {
    const { decoder } = open({ processes: 1 });
    await decode(decoder, small);
    const [first] = childProcesses();
    process.kill(first!, 'SIGSEGV');
    await vi.waitFor(() => expect(childProcesses()).toEqual([]));
    await expect(decode(decoder, small)).resolves.toMatchObject({ width: 20 });
  });

  it.each([
    [
      'by a crash is a fault of the picture',
      'SIGSEGV',
      { code: 'ARGUMENT_VALIDATION_ERROR', extensions: { issues: [{ path: ['file'] }] } },
    ],
    ['by the kernel, as when memory is short, is not', 'SIGKILL', { code: 'SERVICE_UNAVAILABLE' }],
  ])('twice over one picture %s', async (_, signal, expected) => {
    const { decoder } = open({ processes: 1 });
    await decode(decoder, small);
    const decoding = decode(decoder, large);
    const outcome = decoding.catch((error: unknown) => error);
    const killed = new Set<number>();
    while (killed.size < 2) {
      const child = childProcesses().find((pid) => !killed.has(pid) && residentBytes(pid) > 150_000_000);
      if (child !== undefined) {
        killed.add(child);
        process.kill(child, signal);
      }
      await setImmediate();
    }
    expect(await outcome).toMatchObject(expected);
    await expect(decode(decoder, small)).resolves.toMatchObject({ width: 20 });
  });

  // docs/reliability-tests.md: 66
  it('does not affect other pictures', async () => {
    const { decoder } = open({ processes: 2 });
    await Promise.all([decode(decoder, small), decode(decoder, small)]);
    const [first] = childProcesses();
    const decodings = Array.from({ length: 30 }, () => decode(decoder, small));
    process.kill(first!, 'SIGABRT');
    const originals = await Promise.all(decodings);
    expect(originals.map(({ width }) => width)).toEqual(Array.from({ length: 30 }, () => 20));
  });

  it('because it has grown is replaced without a line in the log', async () => {
    const { decoder, warnings } = open({ processes: 1, retireAboveBytes: 1 });
    await decode(decoder, small);
    const [second] = await vi.waitUntil(() => childProcesses().length === 1 && childProcesses());
    await expect(decode(decoder, small)).resolves.toMatchObject({ width: 20 });
    await vi.waitFor(() => expect(childProcesses()).not.toContain(second));
    expect(warnings).toEqual([]);
  });

  // docs/reliability-tests.md: 66
  it('is the process that the kernel ends if memory is short', async () => {
    const { decoder } = open({ processes: 1 });
    await decode(decoder, small);
    expect(readFileSync(`/proc/${childProcesses()[0]}/oom_score_adj`, 'latin1')).toBe('1000\n');
  });

  it('has an empty environment, without secrets', async () => {
    const { decoder } = open({ processes: 1 });
    process.env.SECRET_KEY = 'do-not-tell';
    onTestFinished(() => void delete process.env.SECRET_KEY);
    await decode(decoder, small);
    const environment = readFileSync(`/proc/${childProcesses()[0]}/environ`, 'latin1');
    expect(environment).not.toContain('do-not-tell');
    expect(environment.split('\0').filter((entry) => entry !== '' && !/^(NODE_CHANNEL|MALLOC)_/.test(entry))).toEqual(
      [],
    );
  });

  it('does not outlive a service that is killed', async () => {
    const script = `import { openDecoder } from './src/image/decoder.ts';
      import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
      openDecoder(console).original('a', { kind: 'original', format: 'png', bytes: readFileSync(0) });`;
    const service = spawn(process.execPath, ['--input-type=module', '--eval', script]);
    service.stdin.end(large);
    const decoderPid = await vi.waitUntil(
      () => childProcesses(service.pid).find((pid) => residentBytes(pid) > 150_000_000),
      { timeout: 10_000, interval: 5 },
    );
    service.kill('SIGKILL');
    await vi.waitFor(() => expect(residentBytes(decoderPid)).toBe(0), { timeout: 5_000 });
  });

  it('has ended when the decoder is closed', async () => {
    const { decoder } = open();
    await Promise.all([decode(decoder, small), decode(decoder, small)]);
    decoder.close();
    await vi.waitFor(() => expect(childProcesses()).toEqual([]));
    await expect(decode(decoder, small)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

it('replaces a process that does not answer, which is not a fault of the picture, and continues with the next one', async () => {
  const { decoder, warnings } = open({ processes: 1, taskTimeoutMs: 150 });
  await decode(decoder, small);
  const outcomes = await Promise.allSettled([decode(decoder, large), decode(decoder, small)]);
  expect(outcomes[0]).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } });
  expect(outcomes[1]).toMatchObject({ value: { width: 20 } });
  expect(warnings).toEqual(['image decoder took too long']);
});

it.each([
  ['CPU time', { cpuFactor: 0.02 }, 'file: takes too long to decode: more than 0.1 s of CPU time'],
  ['memory', { memoryFactor: 0.4 }, 'file: takes too much memory to decode'],
])(
  'refuses a picture that takes more %s than its format and area allow, and continues with the next one',
  async (_, factors, message) => {
    const { decoder, warnings } = open({ processes: 1, ...factors });
    await decode(decoder, small);
    const outcomes = await Promise.allSettled([decode(decoder, large), decode(decoder, small)]);
    expect(outcomes[0]).toMatchObject({ reason: { code: 'ARGUMENT_VALIDATION_ERROR', message } });
    expect(outcomes[1]).toMatchObject({ value: { width: 20 } });
    expect(warnings).toEqual([]);
  },
);

describe('without a process that ends,', () => {
  let decoder: Decoder;
  beforeAll(() => void (decoder = openDecoder(silent)));
  afterAll(async () => {
    decoder.close();
    await vi.waitUntil(() => childProcesses().length === 0);
  });

  describe('a merchant that uploads many large pictures', () => {
    it("delays neither another merchant's uploads nor its pictures", async () => {
      const ended: string[] = [];
      const large6 = Array.from(
        { length: 6 },
        async () => await decode(decoder, large).finally(() => ended.push('large')),
      );
      const others = Array.from(
        { length: 3 },
        async () => await decode(decoder, small, 'b').finally(() => ended.push('small')),
      );
      const shown = decoder
        .rendition({
          merchantId: 'a',
          isShort: true,
          task: async () => ({ kind: 'rendition', bytes: small, width: 180 }),
        })
        .finally(() => ended.push('rendition'));
      await Promise.all([...large6, ...others, shown]);
      expect(ended.slice(-3)).toEqual(['large', 'large', 'large']);
      expect(ended.slice(0, 6).filter((name) => name === 'large').length).toBeLessThanOrEqual(2);
    });

    it('delays no other merchant if two merchants send them, one before the other', async () => {
      // Starts the processes: that may take longer than a large picture.
      await Promise.all(['a', 'b', 'c'].map(async (merchantId) => await decode(decoder, small, merchantId)));
      const ended: string[] = [];
      const sendLarge = async (merchantId: string): Promise<void> => {
        const pictures = Array.from({ length: 2 }, async () => await decode(decoder, large, merchantId));
        await Promise.all(pictures.map(async (one) => await one.finally(() => ended.push('large'))));
      };
      const sent = ['a', 'c'].map(sendLarge);
      await decode(decoder, small, 'b').finally(() => ended.push('small'));
      await Promise.all(sent);
      expect(ended[0]).toBe('small');
    });

    it('gets refusals, and not another merchant, if too many pictures wait', async () => {
      const bytes = Buffer.concat([small, Buffer.alloc(20_000_000)]);
      const flood = Array.from({ length: 8 }, async () => await decode(decoder, bytes));
      const others = Array.from({ length: 3 }, async () => await decode(decoder, bytes, 'b'));
      const outcomes = await Promise.allSettled(flood);
      expect((await Promise.all(others)).map(({ width }) => width)).toEqual([20, 20, 20]);
      expect(outcomes.slice(0, 6).every(({ status }) => status === 'fulfilled')).toBe(true);
      expect(outcomes.slice(6)).toMatchObject([
        { reason: { code: 'SERVICE_UNAVAILABLE' } },
        { reason: { code: 'SERVICE_UNAVAILABLE' } },
      ]);
    });
  });

  it('does not block the event loop', async () => {
    await decode(decoder, small);
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    await Promise.all([decode(decoder, large), decode(decoder, large)]);
    delay.disable();
    // Decoding one takes almost half a second.
    expect(delay.max / 1e6).toBeLessThan(300);
  });

  it('refuses pictures if too many bytes wait', async () => {
    const bytes = Buffer.concat([small, Buffer.alloc(20_000_000)]);
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => decode(decoder, bytes)));
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    // Two are decoded, and six wait, which are as many as fit into the 128 MiB of waiting uploads.
    expect(refused).toHaveLength(4);
    expect(refused[0]).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } });
    await expect(decode(decoder, small)).resolves.toMatchObject({ width: 20 });
  });

  it('decodes a hundred pictures that are sent at once', async () => {
    const originals = await Promise.all(Array.from({ length: 100 }, () => decode(decoder, small)));
    expect(originals.every(({ contentType }) => contentType === 'image/jpeg')).toBe(true);
  });
});

function open(settings?: Parameters<typeof openDecoder>[1]): { decoder: Decoder; warnings: (string | undefined)[] } {
  const warnings: (string | undefined)[] = [];
  const decoder = openDecoder({ ...silent, warn: (_, message) => void warnings.push(message) }, settings);
  onTestFinished(async () => {
    decoder.close();
    await vi.waitFor(() => expect(childProcesses()).toEqual([]));
  });
  return { decoder, warnings };
}

function decode(decoder: Decoder, bytes: Buffer, merchantId = 'a') {
  return decodeImage({ merchantId, decoder }, bytes, ['file']);
}
