import { fork } from 'node:child_process';
import { once } from 'node:events';

export type S3Server = { readonly endpoint: string; stop(): Promise<void> };

/** A server that speaks S3 over a folder. It makes its page tokens with a cipher OpenSSL calls legacy. */
export async function startS3Server(directory: string, bucket: string): Promise<S3Server> {
  const child = fork(new URL('./s3-server-process.ts', import.meta.url), [directory, bucket], {
    execArgv: ['--openssl-legacy-provider'],
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async stop() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
