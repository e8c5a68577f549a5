import { isDeepStrictEqual } from 'node:util';
import { medians, type Result } from './results.ts';
import { printProgress } from './print-progress.ts';
import type { Sample, Settings, Subject } from './subject.ts';
import type { Workload } from './workload.ts';

export type RoundOptions = Settings & { rounds: number; warmUpSeconds: number };

/**
 * Runs the workloads one after the other. The subjects alternate, so that all run under the same load of the machine.
 */
export async function runRounds(
  workloads: readonly Workload[],
  subjects: readonly Subject[],
  options: RoundOptions,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const workload of workloads) {
    printProgress(`${workload.name}: ${workload.title}`);
    results.push(
      ...(await runWorkload(
        workload,
        subjects.filter((subject) => subject.does(workload)),
        options,
      )),
    );
  }
  return results;
}

async function runWorkload(workload: Workload, subjects: readonly Subject[], options: RoundOptions): Promise<Result[]> {
  await compareAnswers(workload, subjects);
  for (const subject of subjects) await subject.sample(workload, { ...options, seconds: options.warmUpSeconds });
  const samples = new Map<Subject, Sample[]>(subjects.map((subject) => [subject, []]));
  for (let round = 0; round < options.rounds; round++) {
    const inTurn = round % 2 === 0 ? subjects : [...subjects].reverse();
    for (const subject of inTurn) samples.get(subject)!.push(await take(workload, subject, options));
  }
  return subjects.map((subject) => medians(workload.name, subject.name, samples.get(subject)!));
}

async function take(workload: Workload, subject: Subject, options: RoundOptions): Promise<Sample> {
  const sample = await subject.sample(workload, options);
  printProgress(`  ${subject.name}: ${sample.perSecond.toFixed(0)}/s`);
  if (sample.failure !== null) printProgress(`  ${sample.failed} failed, as this: ${sample.failure.slice(0, 500)}`);
  return sample;
}

/** Responses must be equal: a subject that does less work would seem faster. */
async function compareAnswers(workload: Workload, subjects: readonly Subject[]): Promise<void> {
  const answers = await Promise.all(subjects.flatMap((subject) => (subject.answer ? [subject.answer(workload)] : [])));
  const differing = answers.find((answer) => !isDeepStrictEqual(answer, answers[0]));
  if (differing === undefined) return;
  throw new Error(
    `${workload.name} is answered differently:\n${JSON.stringify(answers[0])}\n${JSON.stringify(differing)}`,
  );
}
