import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { noise } from './pictures.ts';

export type PictureServer = {
  url: string;
  /** Requested paths, in order. */
  requests: string[];
  close(): void;
};

type Answer = (path: string, response: ServerResponse) => boolean;

/** Serves a different picture for each path; `/20.png` is 20 pixels wide. `answer` may respond instead. */
export async function startPictureServer(answer: Answer = () => false): Promise<PictureServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url!;
    requests.push(path);
    if (answer(path, response)) return;
    void noise(Number.parseInt(path.slice(1), 10), 10)
      .png()
      .toBuffer()
      .then((bytes) => response.end(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
