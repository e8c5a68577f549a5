import { type Query, SQL } from 'drizzle-orm';
import { dialect } from '../connection/dialect.ts';

/** The text that Drizzle makes of the pieces, and the values of its parameters. */
export function render(pieces: SQL): Query {
  return dialect.sqlToQuery(pieces);
}

/**
 * A whole statement whose text is known already, never a piece of another. Made of its pieces each time, the
 * text of a page costs node more than sending it.
 */
export class CompiledStatement extends SQL {
  readonly text: string;
  readonly parameters: unknown[];

  constructor(text: string, parameters: unknown[]) {
    super([]);
    this.text = text;
    this.parameters = parameters;
  }

  override toQuery(): Query {
    return { sql: this.text, params: this.parameters };
  }
}
