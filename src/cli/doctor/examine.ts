import { ConfigError } from '../../config.ts';
import { Broken, type Check, messageOf } from './check.ts';
import { databaseChecks } from './database.ts';
import { connectionChecks } from './connection.ts';
import { Subject } from './subject.ts';
import { configurationChecks, surroundingChecks } from './surroundings.ts';

/** All checks in their order. A check can succeed only if those before it have succeeded. */
const CHECKS: readonly Check[] = [...configurationChecks, ...connectionChecks, ...databaseChecks, ...surroundingChecks];

export type Finding = { name: string; ok: boolean; tried: string; detail: string; repair?: string };

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
    return { name, ok: true, tried, detail: await run(subject) };
  } catch (error) {
    const command = error instanceof Broken ? error.repair : repair;
    return { name, ok: false, tried, detail: detailOf(error), repair: command };
  }
}

function detailOf(error: unknown): string {
  return error instanceof ConfigError ? error.mistakes.join('; ') : messageOf(error);
}
