import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

/**
 * `npm run model -- --minutes 60 --seed N`: the tests of the model for a longer time, one after the other. With
 * `--faults` also several clients while processes and PostgreSQL are killed and connections are cut.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    faults: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const env = {
  ...process.env,
  MODEL_SECONDS: String((Number(values.minutes) * 60) / (values.faults ? 3 : 2)),
  MODEL_SEED: values.seed,
  ...(values.faults && { MODEL_FAULTS: 'true' }),
};
console.log(`seed ${values.seed}`);
const { status } = spawnSync('npm', ['test', '--', 'test/model/', '--maxWorkers', '1'], { env, stdio: 'inherit' });
process.exitCode = status ?? 1;
