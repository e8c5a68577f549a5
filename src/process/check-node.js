// JavaScript, so that a Node that cannot run the service gets a sentence instead of a stack.
const MIN_NODE_VERSION = 24;
const EXIT_FAILED = 1;

if (Number.parseInt(process.versions.node, 10) < MIN_NODE_VERSION) {
  process.stderr.write(
    `commerce needs Node ${MIN_NODE_VERSION} or newer, and this is ${process.version}. ` +
      'In the checkout, "npx commerce" and "npm start" run on the Node that "npm ci" has installed.\n',
  );
  process.exit(EXIT_FAILED);
}
