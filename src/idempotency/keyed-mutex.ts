/** Lets in one after the other what has the same name. */
export type InTurn = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/**
 * Repeats of a request would each hold a connection while they wait for the first in the database.
 * Within one process they wait here; nothing's correctness rests on it.
 */
export function createTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return async (name, work) => {
    const turn = (last.get(name) ?? Promise.resolve()).then(work, work);
    last.set(name, turn);
    try {
      return await turn;
    } finally {
      if (last.get(name) === turn) last.delete(name);
    }
  };
}
