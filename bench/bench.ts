import { Command, InvalidArgumentError, Option } from 'commander';
import { SHOPS } from './catalogue.ts';
import { openBenchDatabase } from './database.ts';
import { commitOf, type EarlierShop, openEarlierShop, startEarlier } from './earlier.ts';
import type { Surroundings } from './http-subject.ts';
import { startLoad } from './load.ts';
import { printReport, writeReport } from './report.ts';
import { runRounds } from './rounds.ts';
import { serviceSubject, startService } from './service.ts';
import { openShop } from './shop.ts';
import type { Subject } from './subject.ts';
import { PEER_COMMIT, startPeer } from './peer.ts';
import { startPassedOn } from './passed-on.ts';
import { openStatementFloor } from './statement.ts';
import { startStatic } from './static.ts';
import { openPostgresUsage, waitUntilIdle } from './usage.ts';
import { wholeNumber } from './whole-number.ts';
import { workloads } from './workloads.ts';

const opponents = ['all', 'postgraphile', 'floors', 'nothing'] as const;
const quick = { rounds: 1, seconds: 1, warmUpSeconds: 1, products: 2_000 };

type Options = {
  /** Peers, or commits of this repository. */
  vs: string[];
  rounds: number;
  seconds: number;
  warmUpSeconds: number;
  connections: number;
  products: number;
  quick?: true;
  write?: string;
};

await new Command('bench')
  .description('measures the workloads in rounds, in which the service and what it is compared with take turns')
  .argument('[workloads...]', `of ${workloads.map(({ name }) => name).join(' ')}; without any all`, workloadName)
  .addOption(
    new Option(
      '--vs <whom...>',
      `what the service is compared with: ${opponents.join(', ')}, or earlier commits`,
    ).default(['all']),
  )
  .option('--rounds <number>', 'rounds of each workload', wholeNumber, 9)
  .option('--seconds <number>', 'length of a measurement', wholeNumber, 4)
  .option('--warm-up-seconds <number>', 'run before the first round', wholeNumber, 5)
  .option('--connections <number>', 'connections that each send one request after the other', wholeNumber, 32)
  .option('--products <number>', 'products of the shop that is measured', wholeNumber, 100_000)
  .option('--quick', 'one short round in a small shop, to see that it works')
  .option('--write <file>', 'put the tables into this document')
  .action(async (names: string[], options: Options) => await run(names, { ...options, ...(options.quick && quick) }))
  .parseAsync();

async function run(names: string[], options: Options): Promise<void> {
  const chosen = workloads.filter(({ name }) => names.length === 0 || names.includes(name));
  const shops = shopsOf(options.products);
  const opened: Stoppable[] = [];
  const open = <Opened extends Stoppable>(one: Opened): Opened => (opened.unshift(one), one);
  try {
    const database = await openBenchDatabase(shops);
    open({ stop: () => database.close() });
    const { url } = database;
    const { shop, token } = await openShop(url, database.merchantId);
    const service = open(await startService(database.servingUrl));
    const load = open(await startLoad(shop));
    const surroundings = {
      shop,
      load,
      postgresMs: await openPostgresUsage(url),
      untilIdle: async () => await waitUntilIdle(url),
    };
    const compared: Subject[] = [serviceSubject(service, token, surroundings)];
    compared.push(...(await startEarlierSubjects(options.vs, shops, open)));
    if (isWanted(options.vs, 'floors')) compared.push(...(await startFloors(url, surroundings)).map(open));
    const results = await runRounds(chosen, compared, options);
    const report = { command: process.argv.slice(2), options, startMs: service.startMs, results };
    printReport(report);
    if (options.write) await writeReport(options.write, report);
  } finally {
    for (const one of opened) await one.stop();
  }
}

type Stoppable = { stop(): Promise<void> };
type Open = <Opened extends Stoppable>(one: Opened) => Opened;

/** PostGraphile and earlier commits of the service. Those of the same commit share one database. */
async function startEarlierSubjects(whom: readonly string[], shops: readonly number[], open: Open): Promise<Subject[]> {
  const opened = new Map<string, EarlierShop>();
  const shopOf = async (ref: string): Promise<EarlierShop> => {
    const commit = await commitOf(ref);
    const shop = opened.get(commit) ?? open(await openEarlierShop(commit, shops));
    opened.set(commit, shop);
    return shop;
  };
  const subjects: Subject[] = [];
  if (isWanted(whom, 'postgraphile')) subjects.push(open(await startPeer(await shopOf(PEER_COMMIT))));
  for (const ref of whom.filter((name) => !(opponents as readonly string[]).includes(name)))
    subjects.push(open(await startEarlier(ref, await shopOf(ref))));
  return subjects;
}

async function startFloors(url: string, surroundings: Surroundings): Promise<Subject[]> {
  const statement = await openStatementFloor(url, surroundings.shop);
  const servers = [await startStatic(surroundings), await startPassedOn(url, surroundings)];
  return [...servers, ...(statement ? [statement] : [])];
}

function isWanted(whom: readonly string[], opponent: (typeof opponents)[number]): boolean {
  return whom.includes('all') || whom.includes(opponent);
}

/** Adds other shops, so that the tables hold more than the measured shop. */
function shopsOf(products: number): number[] {
  const [large, ...small] = SHOPS;
  return [products, ...small.map((size) => Math.ceil((size * products) / large!))];
}

function workloadName(name: string, former: string[] = []): string[] {
  if (workloads.some((workload) => workload.name === name)) return [...former, name];
  throw new InvalidArgumentError(`It is one of ${workloads.map((workload) => workload.name).join(', ')}.`);
}
