import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The longest files, the longest first, by project. Attacks run one at a time, so that their order saves nothing. */
const LONGEST = [
  'test/bench/plans.test.ts',
  'test/image/decoder.test.ts',
  'test/image/decoding/decode-limits.test.ts',
  'test/main.test.ts',
  'test/clients/set-ups.test.ts',
  'test/revert/revert-run.test.ts',
  'test/cli/doctor-repairs.test.ts',
  'test/model/model.test.ts',
  'test/docs/code-blocks.test.ts',
  'test/console/console.test.ts',
  'test/http/server/fuzz.test.ts',
  'test/cli/revert.test.ts',
  'test/http/upload/upload.test.ts',
  'test/cli/import/import-commands.test.ts',
  'test/faults/full-disk.test.ts',
  'test/faults/connection.test.ts',
  'test/worker/webhooks/ledger.test.ts',
  'test/faults/termination.test.ts',
  'test/faults/two-nodes.test.ts',
  'test/webhook/hostile-receivers.test.ts',
  'test/faults/database-server.test.ts',
  'test/faults/worker-kill.test.ts',
  'test/faults/silent-database.test.ts',
  'test/db/connection/half-open.test.ts',
  'test/worker/webhooks/idle.test.ts',
  'test/faults/full-wal.test.ts',
  'test/faults/outage-log.test.ts',
  'test/faults/storage.test.ts',
];

/**
 * Starts the longest files of a project first, so that none of them runs alone at the end. Vitest knows the times of an
 * earlier run, but a fresh clone has none. Files with a process of their own come before those that share one, because
 * Vitest ends a shared worker when the next file needs its own.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification): number => {
      const index = LONGEST.findIndex((file) => moduleId.endsWith(file));
      return (project.config.isolate ? 0 : LONGEST.length + 1) + (index === -1 ? LONGEST.length : index);
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}
