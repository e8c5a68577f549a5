import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { goals } from './goals.ts';
import { cpuMsOf, ratioOf, type Result } from './results.ts';
import { workloads } from './workloads.ts';

const BEGIN = '<!-- npm run bench writes from here -->';
const END = '<!-- to here -->';
const BYTES_PER_GIB = 1_024 ** 3;

export type Report = {
  command: readonly string[];
  options: { rounds: number; seconds: number; connections: number; products: number };
  /** Milliseconds from starting the service's process until `/readyz` answers 200. */
  startMs: number;
  results: readonly Result[];
};

export function printReport(report: Report): void {
  process.stdout.write(`${text(report)}\n`);
}

/** Writes the tables between the markers of a document. */
export async function writeReport(file: string, report: Report): Promise<void> {
  const document = await readFile(file, 'utf8');
  const [before, rest] = document.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`${file} has no lines ${BEGIN} and ${END}.`);
  await writeFile(file, `${before}${BEGIN}\n\n${text(report)}\n\n${END}${after}`);
}

function text(report: Report): string {
  return [`${circumstances(report)}\n`, goalTable(report), '', resultTable(report)].join('\n');
}

function circumstances({ command, options }: Report): string {
  const { rounds, seconds, connections, products } = options;
  const machine = `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / BYTES_PER_GIB)} GiB, Node ${process.versions.node}`;
  return [
    `\`npm run bench${command.length > 0 ? ` -- ${command.join(' ')}` : ''}\` on ${new Date().toISOString().slice(0, 10)}: ${machine}.`,
    `Medians of ${rounds} rounds of ${seconds} s; ${connections} connections unless said otherwise; ${products.toLocaleString('en')} products of the merchant.`,
    'Service, PostGraphile, Postgres and load generator share the cores. Ratios are medians of the ratios of rounds, with an interval of 93 % or more, or of all rounds if there are fewer than five.',
  ].join('\n');
}

function goalTable(report: Report): string {
  const rows = goals.flatMap(({ workload, goal, reached }) => {
    const figure = reached(report);
    return figure ? [[workload, goal, figure.text, figure.isReached ? 'yes' : 'no']] : [];
  });
  return rows.length === 0 ? '' : table(['', 'goal', 'figure', 'reached'], rows);
}

function resultTable({ results }: Report): string {
  const head = [
    '',
    'subject',
    'requests/s',
    'of the service',
    'service / subject',
    'p50 ms',
    'p99 ms',
    'CPU ms',
    'of it Node',
    'of it Postgres',
    'bytes',
    'MiB',
    'failed',
  ];
  return table(
    head,
    results.map((result) => row(result, results)),
  );
}

function row(result: Result, results: readonly Result[]): string[] {
  const service = results.find(({ workload, subject }) => workload === result.workload && subject === 'service')!;
  const isFirst = result === service;
  const title = workloads.find(({ name }) => name === result.workload)!.title;
  const { perSecond, p50Ms, p99Ms, nodeCpuMs, postgresCpuMs, bytes, residentMiB, failed } = result;
  return [
    isFirst ? `${result.workload}: ${title}` : '',
    result.subject,
    figure(perSecond),
    isFirst ? '' : `${figure(perSecond / service.perSecond, 2)}`,
    isFirst ? '' : ratio(service, result),
    ...[p50Ms, p99Ms].map((value) => figure(value, 1)),
    ...[cpuMsOf(result), nodeCpuMs, postgresCpuMs].map((value) => figure(value, 3)),
    figure(bytes),
    figure(residentMiB),
    String(failed),
  ];
}

/** The median ratio of the rounds with its interval. */
function ratio(service: Result, other: Result): string {
  const { median, interval } = ratioOf(service, other);
  return `${figure(median, 3)} (${interval.map((bound) => figure(bound, 3)).join(' to ')})`;
}

function figure(value: number | null, digits = 0): string {
  return value === null || !Number.isFinite(value) ? '' : value.toFixed(digits);
}

function table(head: string[], rows: string[][]): string {
  const widths = head.map((title, column) => Math.max(title.length, 3, ...rows.map((row) => row[column]!.length)));
  const line = (cells: string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
