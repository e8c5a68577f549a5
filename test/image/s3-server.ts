import { fork } from 'node:child_process';
import { once } from 'node:events';

export type S3Server = { readonly endpoint: string; stop(): Promise<void> };

/** An S3 server on a folder. Its page tokens use a cipher that OpenSSL calls legacy. */
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
