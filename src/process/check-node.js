// JavaScript, so that a Node that cannot run the service gets a sentence instead of a stack.
const EXIT_FAILED = 1;

const [major, minor] = process.versions.node.split('.').map(Number);
// In Node 24.0 to 24.15, 25 and 26.0 a response that waits behind another one on its connection gets no `close` when the
// client disconnects (nodejs/node#62534). What the request holds of a limiter would never be released.
const isSupported = (major === 24 && minor >= 16) || (major === 26 && minor >= 1) || major > 26;

if (!isSupported) {
  process.stderr.write(
    `commerce needs Node 24 from 24.16 on, or Node 26.1 or newer, and this is ${process.version}. ` +
      'In the checkout, "npx commerce" and "npm start" run on the Node that "npm ci" has installed.\n',
  );
  process.exit(EXIT_FAILED);
}
