import { type SQL, sql } from 'drizzle-orm';
import { issueAccessToken } from '../../src/app/credentials/access-token.ts';
import { appScopes } from '../../src/app-scope.ts';
import type { Context } from '../../src/context.ts';
import type { Database } from '../../src/db/connection/database.ts';
import { createContext } from '../support/context.ts';
import { post } from '../support/post.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service.ts';
import { until } from '../worker/webhooks/receiver.ts';
import { closeGate } from './product-gate.ts';
import { importSheet } from './sheet.ts';
import {
  differing,
  expectedShop,
  idsOf,
  readShop,
  type Shop,
  texts,
  type Touched,
  touchedSince,
} from './shop-state.ts';

/** `db`: of the owner, with at least three connections. `url`: for processes of the service. */
export type ImportUndoPlace = { db: Database; url: string };

const WITHIN_MS = 600_000;
/** Records that one transaction takes back. */
const SLICE = 1_000;
/** Of the products that the import changes, so many are in the shop before. */
const KNOWN_SHARE = 0.6;
const LISTED = 10;
const REVERT = `mutation ($input: RevertChangesInput!) {
  revertChanges(input: $input) { changeSetId recordCount bulkOperationId }
}`;
const PROGRESS = 'query ($id: ID!) { getBulkOperation(id: $id) { status total updated errors { path } } }';

type Run = { changeSetId: string; recordCount: number; bulkOperationId: string };

/** The lists of a run that took back exactly what it must. */
export const EXACT = { refusalWrote: [], conflictsWrong: [], wrong: [], leftWrong: [], repeated: [], uncounted: 0 };

/**
 * Takes an import back after others have changed the shop, while they go on changing it, and while the processes that
 * take it back are killed.
 */
export class ImportUndo {
  readonly #place: ImportUndoPlace;
  readonly #own: Context;
  readonly #token: string;
  readonly #timesMs: Record<string, number> = {};
  #beganMs = performance.now();
  #service: ServiceProcess | null = null;
  /** The shop before the import and after it. */
  #before: Shop = new Map();
  #after: Shop = new Map();
  /** What was wrong with the records that were taken back between two kills. */
  readonly #wrong: string[] = [];
  /** Products that were renamed before they were taken back. */
  readonly #late = new Set<string>();

  private constructor(place: ImportUndoPlace, own: Context, token: string) {
    this.#place = place;
    this.#own = own;
    this.#token = token;
  }

  static async open(place: ImportUndoPlace): Promise<ImportUndo> {
    const own = await createContext(place.db);
    const { authorizedAppId } = own.session;
    return new ImportUndo(place, own, await issueAccessToken(own, { authorizedAppId, scopes: appScopes }));
  }

  async play(products: number, kills: number) {
    const changeSetId = await this.#import(products);
    await this.#changeByOthers();
    const refusal = await this.#refused(changeSetId);
    await this.#settleConflicts();
    const run = await this.#takeBack(changeSetId, products, kills);
    return { products, kills, ...refusal, ...(await this.#judge(run)), timesMs: this.#timesMs };
  }

  async stop(): Promise<void> {
    await this.#service?.kill();
  }

  /** Imports into a shop that has some of the products. Returns the change set. */
  async #import(products: number): Promise<string> {
    await importSheet(this.#place.url, this.#own, Math.floor(products * KNOWN_SHARE), ['Good', 'Maker', 10]);
    this.#before = await readShop(this.#own);
    this.#timed('first import');
    await importSheet(this.#place.url, this.#own, products, ['Bad', 'Nobody', 99]);
    this.#after = await readShop(this.#own);
    this.#timed('import');
    const [set] = await this.#rows<{ id: string }>(
      sql`select change_set_id as id from change where ${this.#owned()} order by id desc limit 1`,
    );
    return set!.id;
  }

  /** Members that the import did not touch, and some that it did. */
  async #changeByOthers(): Promise<void> {
    await this.#change(
      sql`update product set description = 'by others' where ${this.#owned()} and ${nth(sql`name`, 5)}`,
    );
    await this.#change(
      sql`update product set name = 'Later ' || name where ${this.#owned()} and ${nth(sql`name`, 100)}`,
    );
    await this.#change(sql`update variant set weight = 2 where ${this.#owned()} and ${nth(sql`sku`, 7)}`);
    await this.#change(sql`
      update variant set prices = replace(replace(prices::text, '10', '50'), '99', '50')::json
      where ${this.#owned()} and ${nth(sql`sku`, 90)}`);
  }

  async #refused(changeSetId: string) {
    const now = await readShop(this.#own);
    const expected = touchedSince({ before: this.#before, after: this.#after, now });
    this.#service = await startServiceProcess(this.#place.url);
    this.#timed('changes by others');
    const { errors } = await this.#send(REVERT, { input: { changeSetId } });
    this.#timed('refusal');
    const { conflicts = [], conflictCount } = errors?.[0]?.extensions ?? {};
    const listed = texts(conflicts as Touched[]);
    const found = texts(expected);
    return {
      conflictCount,
      conflictsWrong: [
        ...[...listed].filter((conflict) => !found.has(conflict)),
        ...(conflictCount <= SLICE ? [...found].filter((conflict) => !listed.has(conflict)) : []),
        ...(conflictCount === found.size ? [] : [`${found.size} were expected, ${conflictCount} were counted`]),
      ].slice(0, LISTED),
      refusalWrote: differing(now, await readShop(this.#own)).slice(0, LISTED),
    };
  }

  /** Gives touched members the value before the import, or the one after it. */
  async #settleConflicts(): Promise<void> {
    const known = listOf(idsOf(this.#before));
    await this.#change(sql`
      update product set name = case when id = any(${known}::uuid[]) then 'Good ' else 'Bad ' end || substring(name, '[0-9]+')
      where ${this.#owned()} and name like 'Later %'`);
    await this.#change(sql`
      update variant
      set prices = replace(prices::text, '50', case when product_id = any(${known}::uuid[]) then '10' else '99' end)::json
      where ${this.#owned()} and prices -> 0 ->> 'sellPrice' = '50'`);
    this.#timed('settled conflicts');
  }

  /** Starts the revert, and kills the process that executes it while it waits for the lock of a product. */
  async #takeBack(changeSetId: string, products: number, kills: number): Promise<Run> {
    const places = Array.from(
      { length: kills },
      (_, n) => SLICE + Math.floor(((products - SLICE) * (n + 0.5)) / kills),
    );
    let gate = places.length > 0 ? await closeGate(this.#own, places[0]!) : null;
    let now = await readShop(this.#own);
    this.#timed('preparation');
    const run = (await this.#send(REVERT, { input: { changeSetId } })).data.revertChanges as Run;
    this.#timed('conflicts compared');
    for (const [n] of places.entries()) {
      await gate!.reached();
      await this.#lastProduct(run);
      await this.#service!.kill();
      await gate!.open();
      now = await this.#changeDuring(now, await this.#lastProduct(run));
      gate = n + 1 < kills ? await closeGate(this.#own, places[n + 1]!) : null;
      this.#service = await startServiceProcess(this.#place.url);
    }
    await until(
      async () => (await this.#progress(run)).status,
      (status) => status === 'COMPLETED',
      WITHIN_MS,
    );
    this.#timed('taken back');
    await this.#compare(now, () => true);
    return run;
  }

  /** Checks what was taken back, and changes products of which some were taken back. */
  async #changeDuring(former: Shop, lastId: string): Promise<Shop> {
    await this.#compare(former, ({ isProduct, recordId }) => !isProduct || recordId <= lastId);
    const ids = idsOf(await readShop(this.#own));
    const [done, due] = [ids.filter((id) => id <= lastId), ids.filter((id) => id > lastId)];
    const late = [...due.slice(5, 8), ...due.slice(-3)];
    const owned = this.#owned();
    await this.#change(sql`
      update product set name = 'During' where ${owned} and id = any(${listOf([...done.slice(0, 3), ...late])}::uuid[])`);
    await this.#change(sql`
      update product set description = 'during' where ${owned} and id = any(${listOf(due.slice(8, 60))}::uuid[])`);
    for (const id of late) this.#late.add(id);
    return await readShop(this.#own);
  }

  /** Compares the shop with what is expected after the revert of the records for which `isDue` holds. */
  async #compare(former: Shop, isDue: (row: { isProduct: boolean; recordId: string }) => boolean): Promise<void> {
    const expected = expectedShop({ before: this.#before, after: this.#after, now: former }, isDue);
    this.#wrong.push(...differing(expected, await readShop(this.#own)));
  }

  async #judge(run: Run) {
    const { updated, errors } = await this.#progress(run);
    const listed = new Set(errors.map(({ path }) => path));
    const late = new Set([...this.#late].map((id) => `PRODUCT.${id}.name`));
    const repeated = await this.#rows<{ id: string }>(sql`
      select record_id as id from change where ${this.#owned()} and change_set_id = ${run.changeSetId}
      group by record_id having count(*) > 1`);
    return {
      recordCount: run.recordCount,
      updated,
      left: listed.size,
      wrong: this.#wrong.slice(0, LISTED),
      leftWrong: [...listed.symmetricDifference(late)].slice(0, LISTED),
      repeated: repeated.map(({ id }) => id).slice(0, LISTED),
      uncounted: run.recordCount - updated - listed.size,
    };
  }

  /** Waits for the first slice of products: another statement than that of the run may have waited at the gate. */
  async #lastProduct({ bulkOperationId }: Run): Promise<string> {
    const last = async () =>
      await this.#rows<{ id: string }>(sql`
        select last_record_id as id from revert_run
        where ${this.#owned()} and id = ${bulkOperationId} and last_record_type = 'PRODUCT'`);
    const [run] = await until(last, ({ length }) => length > 0, WITHIN_MS);
    return run!.id;
  }

  async #progress({ bulkOperationId }: Run) {
    type Progress = { status: string; updated: number; errors: { path: string }[] };
    return (await this.#send(PROGRESS, { id: bulkOperationId })).data.getBulkOperation as Progress;
  }

  async #send(query: string, variables: object): Promise<any> {
    return (await post(this.#service!.graphqlUrl, { query, variables }, { token: this.#token })).body;
  }

  async #rows<Row extends Record<string, unknown>>(statement: SQL): Promise<Row[]> {
    return [...(await this.#place.db.execute(statement))] as Row[];
  }

  async #change(statement: SQL): Promise<void> {
    await this.#place.db.execute(statement);
  }

  #owned(): SQL {
    return sql`merchant_id = ${this.#own.merchantId}`;
  }

  #timed(step: string): void {
    this.#timesMs[step] = Math.round(performance.now() - this.#beganMs);
    this.#beganMs = performance.now();
  }
}

/** Each nth row, by the number in a text. */
function nth(text: SQL, n: number): SQL {
  return sql`substring(${text}, '[0-9]+')::int % ${sql.raw(String(n))} = 0`;
}

function listOf(ids: readonly string[]): string {
  return `{${ids.join(',')}}`;
}
