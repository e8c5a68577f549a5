import { Column, Name, type Query, SQL, StringChunk, Table } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';

type Invoker = Parameters<PgDialect['sqlToQuery']>[1];

/**
 * Produces the same SQL as Drizzle's dialect in a fifth of the time. Drizzle compares each chunk with up to twenty
 * classes by name and merges a query for each, which took a quarter of the time between a parsed request and its
 * statement. A statement with an unknown chunk is left to Drizzle as a whole.
 */
class Dialect extends PgDialect {
  /** Escaped names of columns and tables, which never change. */
  readonly #names = new WeakMap<object, string>();

  override sqlToQuery(pieces: SQL, invokeSource?: Invoker): Query {
    const params: unknown[] = [];
    const text = invokeSource === undefined ? this.#textOf(pieces, params) : null;
    return text === null ? super.sqlToQuery(pieces, invokeSource) : { sql: text, params };
  }

  /** Appends to `params`. Returns null for an unknown chunk. */
  #textOf(pieces: SQL, params: unknown[]): string | null {
    // Subclasses may override their text, and inlined parameters are Drizzle's task.
    if (pieces.constructor !== SQL || pieces['shouldInlineParams']) return null;
    let text = '';
    for (const chunk of pieces.queryChunks) {
      const own = this.#chunkText(chunk, params);
      if (own === null) return null;
      text += own;
    }
    return text;
  }

  #chunkText(chunk: unknown, params: unknown[]): string | null {
    if (chunk instanceof StringChunk) return chunk.value.join('');
    if (chunk instanceof SQL) return this.#textOf(chunk, params);
    if (chunk === null || typeof chunk === 'string' || typeof chunk === 'number' || typeof chunk === 'boolean')
      return this.escapeParam(params.push(chunk) - 1);
    if (chunk instanceof Name) return this.escapeName(chunk.value);
    return chunk instanceof Column || chunk instanceof Table ? this.#nameText(chunk) : null;
  }

  #nameText(name: Column | Table): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const { sql: text } = super.sqlToQuery(new SQL([name]));
    this.#names.set(name, text);
    return text;
  }
}

export const dialect = new Dialect();
