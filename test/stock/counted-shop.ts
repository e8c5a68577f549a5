import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { sql } from 'drizzle-orm';
import type { Context } from '../../src/context.ts';
import { CommerceError } from '../../src/errors.ts';
import { adjustStock } from '../../src/stock/adjustStock.ts';
import { commitHold } from '../../src/stock/commitHold.ts';
import { holdStock } from '../../src/stock/holdStock.ts';
import { listProductStockLocation } from '../../src/stock/listProductStockLocation.ts';
import { listStockMovement } from '../../src/stock/listStockMovement.ts';
import { moveStock } from '../../src/stock/moveStock.ts';
import { releaseHold } from '../../src/stock/releaseHold.ts';
import { saveProductStockLocations } from '../../src/stock/saveProductStockLocations.ts';
import { type Place, places } from './places.ts';

const HOUR_MS = 3_600_000;

/** What is expected of a count: its movements as differences, and its holds. */
type Count = { movements: number[]; held: Map<string, number> };
export type Step =
  | { kind: 'set' | 'plainSql'; at: number; count: number }
  | { kind: 'adjust'; at: number; delta: number; key: number; allowNegative: boolean }
  | { kind: 'move'; from: number; quantity: number }
  | { kind: 'hold'; at: number; quantity: number }
  | { kind: 'commit' | 'release'; hold: number }
  | { kind: 'delete' | 'restore'; table: 'variant' | 'stock_location' };

/** Two stock locations of one variant, and the model of their counts. */
export class CountedShop {
  readonly #ctx: Context;
  readonly #places: readonly [Place, Place];
  readonly #counts: [Count, Count] = [
    { movements: [0], held: new Map() },
    { movements: [0], held: new Map() },
  ];
  readonly #keys = new Map<number, string>();
  readonly #holds: { id: string; at: number; status: string }[] = [];
  #keyNumber = 0;

  private constructor(ctx: Context, places: readonly [Place, Place]) {
    this.#ctx = ctx;
    this.#places = places;
  }

  static async open(ctx: Context): Promise<CountedShop> {
    const [first, second] = await places(ctx, 2);
    const both = [first!, { ...first!, stockLocationId: second!.stockLocationId }] as const;
    const counted = both.map((place) => ({ ...place, stockCount: 0 }));
    await saveProductStockLocations(ctx, { input: { productStockLocationInputs: counted } });
    return new CountedShop(ctx, both);
  }

  async play(step: Step): Promise<void> {
    switch (step.kind) {
      case 'set':
      case 'plainSql':
        return await this.#set(step.at, step.count, step.kind === 'plainSql');
      case 'adjust':
        return await this.#adjust(step);
      case 'move':
        return await this.#move(step.from, step.quantity);
      case 'hold':
        return await this.#hold(step.at, step.quantity);
      case 'commit':
      case 'release':
        return await this.#end(step.kind, step.hold);
      default:
        await this.#ctx.db.execute(sql`
          update ${sql.raw(step.table)} set deleted = ${step.kind === 'delete'} where merchant_id = ${this.#ctx.merchantId}`);
    }
  }

  async compare(): Promise<void> {
    for (const [index, place] of this.#places.entries()) {
      const { stockLocationId } = place;
      const only = { stockLocationId: { eq: stockLocationId } };
      const counts = await listProductStockLocation(this.#ctx, only, { data: { stockCount: {}, heldCount: {} } });
      deepStrictEqual(counts.data, [{ stockCount: this.#sum(index), heldCount: this.#held(index) }]);
      const moved = await listStockMovement(
        this.#ctx,
        { ...only, pagination: { limit: 200 } },
        { data: { delta: {}, sequence: {}, countAfter: {} } },
      );
      let countAfter = 0;
      const expected = this.#counts[index]!.movements.map((delta, n) => {
        countAfter += delta;
        return { delta, sequence: n + 1, countAfter };
      });
      deepStrictEqual(moved.data.toReversed(), expected);
    }
  }

  #sum(index: number): number {
    return this.#counts[index]!.movements.reduce((sum, delta) => sum + delta, 0);
  }

  #held(index: number): number {
    return [...this.#counts[index]!.held.values()].reduce((sum, quantity) => sum + quantity, 0);
  }

  async #set(index: number, stockCount: number, isPlainSql: boolean): Promise<void> {
    const { stockLocationId } = this.#places[index]!;
    if (isPlainSql)
      await this.#ctx.db.execute(sql`
        update product_stock_location set stock_count = ${stockCount}
        where merchant_id = ${this.#ctx.merchantId} and stock_location_id = ${stockLocationId}`);
    else
      await saveProductStockLocations(this.#ctx, {
        input: { productStockLocationInputs: [{ ...this.#places[index]!, stockCount }] },
      });
    const delta = stockCount - this.#sum(index);
    if (delta !== 0) this.#counts[index]!.movements.push(delta);
  }

  async #adjust({ at, delta, key, allowNegative }: Step & { kind: 'adjust' }): Promise<void> {
    const content = JSON.stringify([at, delta, allowNegative]);
    const known = this.#keys.get(key);
    const isRefused = !allowNegative && delta < 0 && this.#sum(at) - this.#held(at) + delta < 0;
    const outcome = await this.#outcome(() =>
      adjustStock(
        this.#ctx,
        { input: [{ ...this.#places[at]!, delta, key: `adjust ${key}`, allowNegative }] },
        { id: {} },
      ),
    );
    strictEqual(outcome, known === undefined ? !isRefused : known === content);
    if (known !== undefined || isRefused) return;
    this.#keys.set(key, content);
    this.#counts[at]!.movements.push(delta);
  }

  async #move(from: number, quantity: number): Promise<void> {
    const [source, target] = [this.#places[from]!, this.#places[1 - from]!];
    const { productId, variantId } = source;
    const isRefused = this.#sum(from) - this.#held(from) < quantity;
    const move = {
      productId,
      variantId,
      fromStockLocationId: source.stockLocationId,
      toStockLocationId: target.stockLocationId,
      quantity,
      key: this.#newKey(),
    };
    strictEqual(await this.#outcome(() => moveStock(this.#ctx, { input: [move] }, { id: {} })), !isRefused);
    if (isRefused) return;
    this.#counts[from]!.movements.push(-quantity);
    this.#counts[1 - from]!.movements.push(quantity);
  }

  async #hold(index: number, quantity: number): Promise<void> {
    const isRefused = this.#sum(index) - this.#held(index) < quantity;
    const entry = {
      ...this.#places[index]!,
      quantity,
      key: this.#newKey(),
      expiresAt: Date.now() + HOUR_MS,
    };
    let id = '';
    const outcome = await this.#outcome(async () => {
      id = (await holdStock(this.#ctx, { input: [entry] }, { id: {} }))[0]!.id;
    });
    strictEqual(outcome, !isRefused);
    if (isRefused) return;
    this.#holds.push({ id, at: index, status: 'ACTIVE' });
    this.#counts[index]!.held.set(id, quantity);
  }

  async #end(kind: 'commit' | 'release', place: number): Promise<void> {
    const hold = this.#holds[place];
    if (!hold) return;
    const change = kind === 'commit' ? commitHold : releaseHold;
    const ended = kind === 'commit' ? 'COMMITTED' : 'RELEASED';
    const isRefused = hold.status !== 'ACTIVE' && hold.status !== ended;
    strictEqual(await this.#outcome(() => change(this.#ctx, { idList: [hold.id] })), !isRefused);
    if (hold.status !== 'ACTIVE') return;
    const { held, movements } = this.#counts[hold.at]!;
    if (kind === 'commit') movements.push(-held.get(hold.id)!);
    held.delete(hold.id);
    hold.status = ended;
  }

  /** Whether it was done; false if it was refused as CONFLICT. */
  async #outcome(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof CommerceError && error.code === 'CONFLICT') return false;
      throw error;
    }
  }

  #newKey(): string {
    this.#keyNumber += 1;
    return `key ${this.#keyNumber}`;
  }
}
