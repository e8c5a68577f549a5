import type { Answer } from '../../support/post.ts';
import type { History, Members, Outcome } from './history.ts';
import { texts } from './records.ts';
import { type Access, codeOf, outcomeOf, type Shop } from './shop.ts';

/** Refusals that the actions expect: a stale version, a deleted product, a record of another merchant. */
const REFUSED = ['CONFLICT', 'NOT_FOUND'];

export type Sent = { operation: string; variables: object; headers?: Record<string, string> };
export type Place = { shop: Shop; access: Access };

/** A client that writes down what it was answered. */
export class RecordingClient {
  readonly name: string;
  protected readonly shop: Shop;
  protected readonly access: Access;
  protected readonly history: History;
  readonly #random: () => number;
  #writes = 0;

  constructor(name: string, { shop, access }: Place, history: History, random: () => number) {
    this.name = name;
    this.shop = shop;
    this.access = access;
    this.history = history;
    this.#random = random;
  }

  /** Sends a write, and writes it down. `changes` is null if its effect cannot be recognized. */
  protected async write(sent: Sent, changes: Record<string, unknown> | null): Promise<Answer['body']> {
    const { body, start } = await this.send(sent);
    const outcome = outcomeOf(body);
    if (outcome === 'none' && !REFUSED.includes(codeOf(body)!))
      this.unexpected(`${sent.operation}: ${JSON.stringify(body.errors)}`);
    const saved = body.data?.[sent.operation] as { version?: number } | undefined;
    if (changes) this.note(sent, changes, { start, outcome, version: saved?.version });
    return body;
  }

  protected note(
    { operation }: Sent,
    changes: Record<string, unknown>,
    rest: { start: number; outcome: Outcome; version?: number | undefined },
  ): void {
    const { version, ...times } = rest;
    const write = { what: `${this.name}: ${operation}`, end: performance.now(), changes: texts(changes) as Members };
    this.history.writes.push({ ...write, ...times, ...(version !== undefined && { version }) });
  }

  protected async send({
    operation,
    variables,
    headers,
  }: Sent): Promise<{ body: Answer['body']; start: number; end: number }> {
    const start = performance.now();
    const body = await this.access.send(operation, variables, headers);
    return { body, start, end: performance.now() };
  }

  protected unexpected(text: string): void {
    this.history.unexpected.push(`${this.name}: ${text}`);
  }

  protected token(): string {
    this.#writes += 1;
    return `${this.name}-${this.#writes}`;
  }

  /** A number that no other write has, with all decimals that a price may have. */
  protected amount(): number {
    this.#writes += 1;
    return Number(`${this.#writes}.${String(Number(this.name.slice(1)) + 1).padStart(6, '0')}`);
  }

  protected one<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)]!;
  }
}
