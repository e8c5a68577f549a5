import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { httpStatusByCode } from '../../src/errors.ts';
import { isAlive, type RunningProcess } from '../support/process.ts';
import { type FuzzRequest, requests } from './requests.ts';
import { type FuzzAnswer, send, type Target } from './send.ts';
import { idMarks } from './shop.ts';

/** Requests of a batch. Batch n has the seed plus n. */
export const BATCH_SIZE = 200;
/**
 * The environment of the service. Without rate limits, which would refuse most requests and have tests of their own.
 */
export const CAMPAIGN_ENVIRONMENT = {
  RATE_LIMIT_POINTS_PER_SECOND: '0',
  TOKEN_RATE_LIMIT_PER_MINUTE: '0',
  NODE_OPTIONS: `--max-old-space-size=1024 --import=${join(import.meta.dirname, 'prototype-watch.ts')}`,
};
const MAX_FAULTS = 20;
const MAX_SHOWN_CHARACTERS = 3_000;

/** Texts that no answer may contain: stack frames, paths, SQL, internal errors. No generated request has them. */
const LEAKS =
  /\n\s+at |node_modules|file:\/\/(?!\/etc\/passwd)|\/src\/|\.ts:\d|PostgresError|DrizzleQuery|Failed query|violates |relation "|syntax error at or near|invalid input syntax|merchant_id|ECONN|TypeError|RangeError|\$1\b|Maximum call stack/;
const UNEXPECTED_CODES = new Set(['INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE', 'TIMEOUT', 'RATE_LIMITED']);
const KNOWN_CODES = new Set(Object.keys(httpStatusByCode).filter((code) => !UNEXPECTED_CODES.has(code)));
/** The time until a line of the log is written. */
const LOG_DELAY_MS = 500;
const END_OF_BANNER = 'Ctrl-C stops it';

export type Fault = { seed: number; index: number | null; problem: string; request: string; answer: string };
/** The result of a batch. */
export type Progress = { sent: number; found: Fault[]; residentMib: number };
export type CampaignReport = {
  sent: number;
  statuses: Record<string, number>;
  codes: Record<string, number>;
  faults: Fault[];
  residentMib: number[];
};

type Options = { seed: number; requests: number; connections: number; onProgress?: (progress: Progress) => void };

/** Sends generated requests to a service in another process, and checks each answer, its log and its memory. */
export async function runCampaign(target: Target, service: RunningProcess, options: Options): Promise<CampaignReport> {
  const report: CampaignReport = { sent: 0, statuses: {}, codes: {}, faults: [], residentMib: [] };
  const linesOf = newLinesOf(service);
  // The banner is not of the log.
  while (!(service.stdout() + service.stderr()).includes(END_OF_BANNER)) await wait(LOG_DELAY_MS);
  linesOf();
  for (let seed = options.seed; report.sent < options.requests && report.faults.length < MAX_FAULTS; seed++) {
    const known = report.faults.length;
    // A new arbitrary for each batch: fc.gen() keeps all values that it has drawn, 8 MiB a batch.
    const batch = fc.sample(requests({ ids: idMarks }), {
      seed,
      numRuns: Math.min(BATCH_SIZE, options.requests - report.sent),
    });
    await sendBatch(target, service, report, { seed, batch, connections: options.connections });
    if (report.sent >= options.requests) await wait(LOG_DELAY_MS);
    const problems = linesOf().flatMap(problemOfLine);
    report.faults.push(
      ...problems.map(({ problem, line }) => ({
        seed,
        index: null,
        problem,
        request: '',
        answer: line.slice(0, MAX_SHOWN_CHARACTERS),
      })),
    );
    report.residentMib.push(residentMib(service.child.pid!));
    options.onProgress?.({
      sent: report.sent,
      found: report.faults.slice(known),
      residentMib: report.residentMib.at(-1)!,
    });
  }
  return report;
}

/** Returns a function that returns the lines written since its last call, on stdout and stderr. */
function newLinesOf(service: RunningProcess): () => string[] {
  const read = { stdout: 0, stderr: 0 };
  const linesFrom = (stream: 'stdout' | 'stderr', text: string): string[] => {
    const end = text.lastIndexOf('\n') + 1;
    const lines = text
      .slice(read[stream], end)
      .split('\n')
      .filter((line) => line !== '');
    read[stream] = end;
    return lines;
  };
  return () => [...linesFrom('stdout', service.stdout()), ...linesFrom('stderr', service.stderr())];
}

/** Each line must be one JSON object, whatever clients send, and must not be an error. */
function problemOfLine(line: string): { problem: string; line: string }[] {
  try {
    const { level } = JSON.parse(line) as { level?: unknown };
    return level === 'error' || level === 'fatal' ? [{ problem: 'an error in the log', line }] : [];
  } catch {
    return [{ problem: 'a line that is not of the log', line }];
  }
}

type Batch = { seed: number; batch: FuzzRequest[]; connections: number };

async function sendBatch(
  target: Target,
  service: RunningProcess,
  report: CampaignReport,
  { seed, batch, connections }: Batch,
): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < batch.length) {
      const index = next++;
      const request = batch[index]!;
      const { answer, problem } = await exchange(target, service, request);
      report.sent++;
      note(report, answer);
      if (problem)
        report.faults.push({
          seed,
          index,
          problem,
          request: shown(request),
          answer: answer?.text.slice(0, MAX_SHOWN_CHARACTERS) ?? '',
        });
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
}

async function exchange(
  target: Target,
  { child }: RunningProcess,
  request: FuzzRequest,
): Promise<{ answer: FuzzAnswer | null; problem: string | null }> {
  try {
    const answer = await send(target, request);
    return { answer, problem: answer ? problemOf(answer) : request.raw ? null : 'no answer' };
  } catch (error) {
    if (!isAlive(child.pid!)) throw new Error(`The process has ended after ${shown(request)}`, { cause: error });
    return { answer: null, problem: `no answer: ${String(error)} ${String((error as Error).cause)}` };
  }
}

function problemOf({ status, contentType, text }: FuzzAnswer): string | null {
  if (status >= 500) return `status ${status}`;
  // GraphiQL is a page with such words.
  const leak = contentType.startsWith('text/html') ? null : LEAKS.exec(text);
  if (leak) return `tells of its inside: ${JSON.stringify(leak[0])}`;
  const unknown = codesOf(text).filter((code) => !KNOWN_CODES.has(code));
  return unknown.length > 0 ? `code ${unknown.join()}` : null;
}

function note({ statuses, codes }: CampaignReport, answer: FuzzAnswer | null): void {
  const status = String(answer?.status ?? 'closed');
  statuses[status] = (statuses[status] ?? 0) + 1;
  const found = answer ? codesOf(answer.text) : [];
  for (const code of found.length > 0 ? new Set(found) : ['none']) codes[code] = (codes[code] ?? 0) + 1;
}

/** The codes of errors. Ignores members `code` of records. */
function codesOf(text: string): string[] {
  return [...text.matchAll(/(?:"extensions":\{|"detail":"(?:[^"\\]|\\.)*",)"code":"([A-Z_]+)"/g)].map(
    ([, code]) => code!,
  );
}

function shown(request: FuzzRequest): string {
  const parts = request.raw
    ? { raw: request.raw.toString('latin1') }
    : { ...request, body: request.body?.toString('latin1') };
  return JSON.stringify(parts).slice(0, MAX_SHOWN_CHARACTERS);
}

function residentMib(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Math.round(Number(kib) / 1024);
}
