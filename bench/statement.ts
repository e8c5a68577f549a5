import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type SentStatement, sentStatements } from './sent-statements.ts';
import type { Sample, Settings, Subject } from './subject.ts';
import type { Shop, Workload } from './workload.ts';

const run = promisify(execFile);

/** Repeats the statement of the service with pgbench, as fast as Postgres answers. Null without pgbench. */
export async function openStatementFloor(databaseUrl: string, shop: Shop): Promise<Subject | null> {
  if (
    !(await run('pgbench', ['--version']).then(
      () => true,
      () => false,
    ))
  )
    return null;
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  return {
    name: 'statement',
    does: (workload) => workload.hasFloor === true,
    sample: async (workload, settings) => {
      const statement = await statementOf(databaseUrl, shop, workload);
      const script = join(folder, `${workload.name}.sql`);
      await writeFile(script, `${withNamedParameters(statement.text)};\n`);
      return await repeat(databaseUrl, script, statement.parameters, settings);
    },
    stop: () => rm(folder, { recursive: true }),
  };
}

/** The only statement of the workload's `n`th request. Throws if there are several. */
export async function statementOf(databaseUrl: string, shop: Shop, workload: Workload, n = 0): Promise<SentStatement> {
  const [statement, ...others] = await sentStatements(databaseUrl, shop, workload, n);
  if (!statement || others.length > 0)
    throw new Error(`${workload.name} comes to ${statement ? others.length + 1 : 0} statements.`);
  return statement;
}

/** Names parameters as pgbench does: `$1` becomes `:p1`. pgbench leaves the `:` of casts alone. */
function withNamedParameters(text: string): string {
  return text
    .replace(/\$(\d+)/g, ':p$1')
    .replace(/\s*\n\s*/g, ' ')
    .trim();
}

async function repeat(
  databaseUrl: string,
  script: string,
  parameters: readonly unknown[],
  { seconds, connections }: Settings,
): Promise<Sample> {
  const values = parameters.flatMap((value, index) => ['-D', `p${index + 1}=${String(value)}`]);
  const clients = ['-c', String(connections), '-j', String(Math.min(connections, availableParallelism()))];
  const { stdout } = await run('pgbench', [
    '-n',
    '-M',
    'prepared',
    '-f',
    script,
    '-T',
    String(Math.ceil(seconds)),
    ...clients,
    ...values,
    databaseUrl,
  ]);
  const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  const unknown = { p50Ms: null, p99Ms: null, nodeCpuMs: null, postgresCpuMs: null, residentMiB: null, bytes: null };
  return { perSecond, ...unknown, failed: 0, failure: null };
}
