import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { issueAccessToken } from '../../../src/app/credentials/access-token.ts';
import { appScopes } from '../../../src/app-scope.ts';
import type { Context } from '../../../src/context.ts';
import { connect, type Connection } from '../../../src/db/connection/connect.ts';
import { createContext } from '../../support/context.ts';
import { run } from '../../support/process.ts';
import { type LedgerPlace, ownPostgres, ROUTABLE } from '../../worker/webhooks/ledger-place.ts';
import { LedgerProcesses } from '../../worker/webhooks/ledger-processes.ts';
import { openReceiver, type Received, until } from '../../worker/webhooks/receiver.ts';
import type { Place } from '../places.ts';
import { EXACT, movementFaults, type Release } from './movement-faults.ts';
import { openCounts } from './open-counts.ts';
import { Outcomes } from './outcomes.ts';
import { PersistentClient } from './persistent-client.ts';
import { type AdjustUnit, type Hold, type HoldUnit, lifetimeMs, restock, type Unit, unitAt } from './sent-units.ts';

const SECRET_KEY = '0'.repeat(64);
const WRITERS = 64;
/** A third of the requests are repeated only after so many others. */
const REPEATED_AFTER = 200;
const COMMITTED_AFTER_MS = 300;
/** A race is committed so long before the hold expires: about as long as the request takes. */
const RACE_LEAD_MS = 20;
/** A million entries take hours on a busy machine. */
const PROGRESS_WITHIN_MS = 14_400_000;
const SETTLED_WITHIN_MS = 120_000;
const STATEMENT_TIMEOUT_MS = 600_000;

const MUTATIONS = {
  adjustStock: 'mutation ($input: [AdjustStockInput!]!) { adjustStock(input: $input) { id key } }',
  holdStock: 'mutation ($input: [HoldStockInput!]!) { holdStock(input: $input) { id key } }',
  commitHold: 'mutation ($idList: [String!]!) { commitHold(idList: $idList) }',
  releaseHold: 'mutation ($idList: [String!]!) { releaseHold(idList: $idList) }',
};

/** `isLong`: with up to 50 entries a request. */
export type MovementPlay = { entries: number; serviceKills: number; databaseKills: number; isLong?: boolean };
type Work = () => Promise<unknown>;
/** `mayTake`: whether the next entries may be sent already. */
type Turns = { isLong: boolean; mayTake: () => boolean };
type Parts = {
  place: LedgerPlace;
  connection: Connection;
  processes: LedgerProcesses;
  receiver: Awaited<ReturnType<typeof openReceiver>>;
  releases: Map<string, Release>;
  own: Context;
  places: Place[];
  client: PersistentClient;
};

/** What a run without faults returns beside its counts. */
export const EXACT_RUN = { ...EXACT, broken: [], unexpected: [] };

/** Writers that send each movement and hold three times, while processes of the service and PostgreSQL are killed. */
export class MovementRun {
  readonly #parts: Parts;
  readonly #outcomes = new Outcomes();
  readonly #repeats: Work[] = [];
  /** The keys of holds whose end was sent, or is about to be. */
  readonly #ended = new Set<string>();
  #taken = 0;
  #done = 0;

  private constructor(parts: Parts) {
    this.#parts = parts;
  }

  static async start(given?: LedgerPlace): Promise<MovementRun> {
    const place = given ?? (await ownPostgres());
    const connection = connect(place.url, { poolSize: 3, statementTimeoutMs: STATEMENT_TIMEOUT_MS, ...ROUTABLE });
    const releases = new Map<string, Release>();
    const receiver = await openReceiver((received, response) => {
      noteRelease(releases, received);
      response.writeHead(200).end();
    });
    const own = await createContext(connection.db);
    const counted = await openCounts(own, receiver.url);
    const { authorizedAppId } = own.session;
    const token = await issueAccessToken(own, { authorizedAppId, scopes: appScopes });
    const processes = await LedgerProcesses.start(place.servingUrl, ['all', 'all']);
    const client = new PersistentClient((n) => processes.graphqlUrl(n), token);
    return new MovementRun({ place, connection, processes, receiver, releases, own, places: counted, client });
  }

  /** The kills are spread over the run. Writers do a part of the entries during each. */
  async play({ entries, serviceKills, databaseKills, isLong = false }: MovementPlay) {
    const { place, processes, own, client } = this.#parts;
    const kills = serviceKills + databaseKills;
    const beganMs = performance.now();
    let killed = 0;
    const mayTake = (): boolean => killed === kills || this.#taken < (entries * (killed + 2)) / (kills + 1);
    const kill = async (): Promise<void> => {
      let ofDatabase = 0;
      for (; killed < kills; killed++) {
        const due = (entries * (killed + 1)) / (kills + 1);
        await until(
          () => this.#done,
          (done) => done >= due,
          PROGRESS_WITHIN_MS,
        );
        const isOfDatabase = Math.floor(((killed + 1) * databaseKills) / kills) > ofDatabase;
        if (!isOfDatabase) await processes.kill(killed - ofDatabase);
        else {
          await place.disturbances[ofDatabase++ % place.disturbances.length]!(own.merchantId);
          await processes.surviveDatabase();
        }
      }
    };
    await Promise.all([...Array.from({ length: WRITERS }, () => this.#write(entries, { isLong, mayTake })), kill()]);
    const seconds = Math.round((performance.now() - beganMs) / 1_000);
    await this.#settle();
    const { refused, ids } = this.#outcomes;
    const figures = { entries, applied: ids.size, refused, seconds, kills, requests: client.counts };
    return { ...figures, ...(await this.#faults()), broken: await this.#broken(), unexpected: client.unexpected };
  }

  async stop(): Promise<void> {
    const { processes, connection, place, receiver } = this.#parts;
    await processes.stop();
    await connection.close();
    await place.remove();
    await receiver.close();
  }

  async #write(entries: number, { isLong, mayTake }: Turns): Promise<void> {
    for (;;) {
      const isLast = this.#taken >= entries;
      const repeat = isLast || this.#repeats.length > REPEATED_AFTER ? this.#repeats.shift() : undefined;
      if (repeat) await repeat();
      else if (isLast) return;
      else if (!mayTake()) await wait(10);
      else await this.#next(isLong);
    }
  }

  async #next(isLong: boolean): Promise<void> {
    const unit = unitAt(this.#taken, isLong);
    this.#taken += unit.entries.length;
    await (unit.operation === 'adjustStock' ? this.#adjust(unit) : this.#hold(unit));
    this.#done += unit.entries.length;
  }

  async #adjust(unit: AdjustUnit): Promise<void> {
    const input = unit.entries.map(({ key, place, delta, isGuarded }) => ({
      ...this.#parts.places[place]!,
      key,
      delta,
      allowNegative: !isGuarded,
    }));
    await this.#thrice(unit, input);
  }

  async #hold(unit: HoldUnit): Promise<void> {
    const expiresAt = Date.now() + lifetimeMs(unit);
    const input = unit.entries.map(({ key, place, quantity }) => ({
      ...this.#parts.places[place]!,
      key,
      quantity,
      expiresAt,
    }));
    await this.#thrice(unit, input, async () => {
      for (const entry of unit.entries) await this.#end(entry, expiresAt);
    });
  }

  /** Together through several connections, one after the other, or twice much later. Any of them may apply the entries. */
  async #thrice(unit: Unit, input: object[], afterwards: Work = async () => {}): Promise<void> {
    const send: Work = async () => {
      const wasApplied = this.#outcomes.ids.has(unit.entries[0]!.key);
      const answer = await this.#parts.client.send(MUTATIONS[unit.operation], { input });
      this.#outcomes.noteEntries(unit, answer, wasApplied);
    };
    const sendLater: Work = async () => {
      await send();
      await afterwards();
    };
    const way = unit.n % 3;
    if (way === 0) await Promise.all([send(), send(), send()]);
    else await send();
    if (way === 1) for (let repeat = 0; repeat < 2; repeat++) await send();
    if (way === 2) this.#repeats.push(sendLater, sendLater);
    await afterwards();
  }

  async #end(hold: Hold, expiresAt: number): Promise<void> {
    const id = this.#outcomes.ids.get(hold.key);
    if (id === undefined || hold.end === 'EXPIRE' || this.#ended.has(hold.key)) return;
    this.#ended.add(hold.key);
    await wait(hold.end === 'RACE' ? Math.max(0, expiresAt - RACE_LEAD_MS - Date.now()) : COMMITTED_AFTER_MS);
    const mutation = hold.end === 'RELEASE' ? MUTATIONS.releaseHold : MUTATIONS.commitHold;
    const send: Work = async () =>
      this.#outcomes.noteEnd(hold, await this.#parts.client.send(mutation, { idList: [id] }));
    await Promise.all([send(), send()]);
    await send();
    if (this.#outcomes.statusOf(hold) === 'COMMITTED') await this.#adjust(restock(Number(hold.key)));
  }

  /** Waits until the sweep has ended all holds, and until each end has reached the receiver. */
  async #settle(): Promise<void> {
    const { own, releases } = this.#parts;
    const holds = async () => {
      const [row] = await own.db.execute<{ active: number; all: number }>(sql`
        select count(*) filter (where status = 'ACTIVE')::int as active, count(*)::int as all
        from stock_hold where merchant_id = ${own.merchantId}`);
      return { ...row!, released: new Set([...releases.values()].map(({ holdId }) => holdId)).size };
    };
    // The judgement lists what has not ended by then.
    await until(holds, ({ active, all, released }) => active === 0 && released === all, SETTLED_WITHIN_MS).catch(
      () => undefined,
    );
  }

  async #faults() {
    const { own, places: counted, releases } = this.#parts;
    const { db, merchantId } = own;
    return await movementFaults({ db, merchantId, places: counted, outcomes: this.#outcomes, releases });
  }

  /** The broken references and wrong counts that `commerce doctor --references` reports. */
  async #broken(): Promise<unknown[]> {
    const environment = { DATABASE_URL: this.#parts.place.servingUrl, SECRET_KEY };
    const { stdout, stderr, code } = await run('src/cli/admin.ts', ['doctor', '--references'], environment).finished;
    if (code === null || stdout === '') return [stderr];
    const { ok, broken } = JSON.parse(stdout) as { ok: boolean; broken: unknown[] };
    return ok ? [] : broken;
  }
}

/** An event may arrive several times, always with the same id. */
function noteRelease(releases: Map<string, Release>, { id, body }: Received): void {
  const { id: holdId } = JSON.parse(body.data as string) as { id: string };
  releases.set(id, { holdId, reason: String(body.reason), createdMs: Date.parse(String(body.createdAt)) });
}
