import { createRequire } from 'node:module';

const S3rver = createRequire(import.meta.url)('@20minutes/s3rver');
const [directory, bucket] = process.argv.slice(2);

const server = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory,
  configureBuckets: [{ name: bucket, configs: [] }],
  // s3rver computes a wrong signature for list requests. This test is not about signatures.
  allowMismatchedSignatures: true,
});
process.on('disconnect', () => process.exit());
process.send!(await server.run());
