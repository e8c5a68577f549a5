/** Loaded before the service: after the service has printed its start, a promise is rejected that nothing handles. */
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = ((text: string | Uint8Array) => {
  if (String(text).includes('Ctrl-C stops it'))
    setImmediate(() => void Promise.reject(Object.assign(new Error('lost'), { params: ['hunter2'] })));
  return write(text);
}) as typeof process.stdout.write;
