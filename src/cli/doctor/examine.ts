import { ConfigError } from '../../config.ts';
import { Broken, type Check, messageOf } from './check.ts';
import { databaseChecks } from './database.ts';
import { configurationRepair } from './configuration-repair.ts';
import { connectionChecks } from './connection.ts';
import { Subject } from './subject.ts';
import { configurationChecks, surroundingChecks } from './surroundings.ts';

/** All checks in their order. A check can succeed only if those before it have succeeded. */
const CHECKS: readonly Check[] = [...configurationChecks, ...connectionChecks, ...databaseChecks, ...surroundingChecks];

/** With `warning` the layer works, but `repair` should be done. */
export type Finding = { name: string; ok: boolean; warning?: true; tried: string; detail: string; repair?: string };

/** Runs the checks until one fails. */
export async function* examineSetup(): AsyncGenerator<Finding> {
  const subject = new Subject();
  try {
    for (const check of CHECKS) {
      const finding = await findingOf(check, subject);
      yield finding;
      if (!finding.ok) return;
    }
  } finally {
    await subject.close();
  }
}

async function findingOf({ name, tried, repair, run }: Check, subject: Subject): Promise<Finding> {
  try {
    const found = await run(subject);
    return typeof found === 'string'
      ? { name, ok: true, tried, detail: found }
      : { name, ok: true, warning: true, tried, ...found };
  } catch (error) {
    const command = repairOf(error) ?? repair;
    return { name, ok: false, tried, detail: detailOf(error), repair: command };
  }
}

function repairOf(error: unknown): string | null {
  if (error instanceof ConfigError) return configurationRepair(error.mistakes);
  return error instanceof Broken ? error.repair : null;
}

function detailOf(error: unknown): string {
  return error instanceof ConfigError ? error.mistakes.join('; ') : messageOf(error);
}
