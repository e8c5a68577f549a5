/** The part of a request to `fetch` that sends the body in HTTP chunks of one byte. */
export function inSingleBytes(body: Uint8Array): RequestInit {
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const byte of body) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  return { body: stream, duplex: 'half' } as RequestInit;
}
