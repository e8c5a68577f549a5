import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueAccessToken } from '../../../src/app/credentials/access-token.ts';
import { appScopes } from '../../../src/app-scope.ts';
import type { Context } from '../../../src/context.ts';
import { connect, type Connection } from '../../../src/db/connection/connect.ts';
import { createContext } from '../../support/context.ts';
import { DatabaseProxy } from '../../support/database-proxy.ts';
import { documentOf } from '../../support/operation.ts';
import { post } from '../../support/post.ts';
import { type LedgerPlace, ownPostgres } from '../../worker/webhooks/ledger-place.ts';
import { LedgerProcesses } from '../../worker/webhooks/ledger-processes.ts';
import { openReceiver, until } from '../../worker/webhooks/receiver.ts';
import type { Send } from '../play.ts';
import { contradictions } from './check-history.ts';
import { changeVendor, createShop, eventsOf, listen, playClients, randomOf } from './played-shop.ts';
import { NO_ANSWER } from './shop.ts';

const SEED = Number(process.env['MODEL_SEED'] ?? 1);
const SECONDS = Number(process.env['MODEL_SECONDS'] ?? 60);
const MIN_DONE = 20;
/** From one fault to the next. A process starts in a few seconds. */
const FAULT_EVERY_MS = 3_000;
/** Until a client sends its next request when it has no answer. */
const RETRY_MS = 300;
const STALLED_MS = 1_500;
const SETTLED_WITHIN_MS = 120_000;

let place: LedgerPlace;
let proxy: DatabaseProxy;
let connection: Connection;
let processes: LedgerProcesses;
let receiver: Awaited<ReturnType<typeof openReceiver>>;

/** `npm run model -- --faults` */
describe.runIf(process.env['MODEL_FAULTS'])('with kills and cut connections', () => {
  beforeAll(async () => {
    place = await ownPostgres();
    proxy = await DatabaseProxy.open(place.servingUrl);
    connection = connect(place.url, { poolSize: 5, statementTimeoutMs: 20_000 });
    receiver = await openReceiver();
    processes = await LedgerProcesses.start(proxy.url, ['all', 'all']);
  }, 120_000);
  afterAll(async () => {
    await processes.stop();
    await receiver.close();
    await connection.close();
    await proxy.close();
    await place.remove();
  });

  it(
    `no write is lost, repeated or seen in part, in ${SECONDS} s (seed ${SEED})`,
    async ({ signal }) => {
      const [app, other] = [await createContext(connection.db), await createContext(connection.db)];
      await listen(app, receiver.url);
      const send = await sender(app);
      const access = { send, foreign: await sender(other), sql: changeVendor(app) };
      const shop = await createShop(send);
      const faults = disturb(app.merchantId, randomOf(SEED));
      const history = await playClients({ shop, access }, { seconds: SECONDS, seed: SEED, signal });
      console.log(await faults.end());
      await settled(app);
      const events = await eventsOf(app, shop);
      expect(contradictions(history, events).slice(0, 5)).toEqual([]);
      expect(await unsent(app)).toEqual([]);
      const outcomes = Map.groupBy(history.writes, ({ outcome }) => outcome);
      console.log(new Map([...outcomes].map(([outcome, writes]) => [outcome, writes.length])));
      expect(outcomes.get('done')!.length).toBeGreaterThan(MIN_DONE);
    },
    SECONDS * 1_000 + 300_000,
  );
});

/** Sends as an app, to the processes of the service by turns. */
async function sender(ctx: Context): Promise<Send> {
  const token = await issueAccessToken(ctx, { authorizedAppId: ctx.session.authorizedAppId, scopes: appScopes });
  let sent = 0;
  return async (operation, variables, headers = {}) => {
    const request = { query: documentOf(operation, variables), variables };
    return await post(processes.graphqlUrl(sent++), request, { token, headers }).then(
      ({ body }) => body,
      async () => await wait(RETRY_MS, NO_ANSWER),
    );
  };
}

/** One fault after another, until `end`, which returns how many of each there were. */
function disturb(merchantId: string, random: () => number) {
  const counts = { processKills: 0, databaseKills: 0, cuts: 0, stalls: 0 };
  const kinds = {
    processKills: async () => await processes.kill(counts.processKills),
    databaseKills: async () => {
      await place.disturbances[0]!(merchantId);
      await processes.surviveDatabase();
    },
    cuts: () => proxy.cut(),
    stalls: async () => {
      proxy.stall();
      await wait(STALLED_MS);
      proxy.heal();
    },
  };
  const names = ['processKills', 'processKills', 'databaseKills', 'cuts', 'cuts', 'cuts', 'stalls'] as const;
  let isEnded = false;
  const run = async (): Promise<void> => {
    while (!isEnded) {
      await wait(FAULT_EVERY_MS * random());
      const kind = names[Math.floor(random() * names.length)]!;
      await kinds[kind]();
      counts[kind] += 1;
    }
  };
  const running = run();
  return {
    end: async () => {
      isEnded = true;
      await running;
      return counts;
    },
  };
}

/** Waits until nothing is left to be sent. */
async function settled({ db, merchantId }: Context): Promise<void> {
  const pending = async () => {
    const rows = await db.execute<{ count: number }>(sql`
      select count(*)::int as count from webhook_delivery where merchant_id = ${merchantId} and state = 'PENDING'`);
    return rows[0]!.count;
  };
  await until(pending, (count) => count === 0, SETTLED_WITHIN_MS);
}

/** Events that the receiver did not get, or got with other data. */
async function unsent({ db, merchantId }: Context): Promise<unknown[]> {
  const rows = await db.execute<{ id: string; record: string; sequence: string; data: string }>(sql`
    select id, record_id as record, sequence, data from webhook_delivery where merchant_id = ${merchantId}`);
  const received = new Set(receiver.received.map(({ body }) => `${String(body['sequence'])} ${String(body['data'])}`));
  return rows.filter(({ sequence, data }) => !received.has(`${sequence} ${data}`));
}
