/**
 * Loaded before the service: once that has said all that it says at the start, a promise fails that nobody waits for.
 */
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = ((text: string | Uint8Array) => {
  if (String(text).includes('Ctrl-C stops it'))
    setImmediate(() => void Promise.reject(Object.assign(new Error('lost'), { params: ['hunter2'] })));
  return write(text);
}) as typeof process.stdout.write;
