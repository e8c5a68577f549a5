/** What happened in a run of several clients. Times are of one clock. The values of members are JSON texts. */
export type Members = Readonly<Record<string, string>>;

/**
 * `unknown`: no answer, or one that says to try again later: it has happened once or not at all. `none`: refused, or a
 * dry run, which must have no effect.
 */
export type Outcome = 'done' | 'unknown' | 'none';

/** A write of values that no other write has, so that its effect can be recognized. */
export type Write = {
  what: string;
  start: number;
  end: number;
  changes: Members;
  outcome: Outcome;
  /** The version of the product that the answer had. */
  version?: number;
};

/** A record as one client read it. */
export type Read = { client: string; start: number; end: number; record: string; version: number; state: Members };

/** All pages of a list, read by their cursors. `expected`: the records that were there all the time. */
export type Walk = { ids: readonly string[]; expected: readonly string[] };

/** What an app was told of a record that changed. `version`: of a product. */
export type Event = { record: string; sequence: number; version?: number; state: Members };

export type History = { writes: Write[]; reads: Read[]; walks: Walk[]; unexpected: string[] };
