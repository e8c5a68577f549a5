import { vi } from 'vitest';
import { PooledDatabase } from '../../src/db/connection/database.ts';

/** A call of a member of a database. `run` makes it, with the same arguments. */
type Call = { readonly owner: string; readonly argument: unknown; readonly run: () => Promise<unknown> };

/**
 * Calls `replaced` in place of a member of all databases of this process. Tasks make a database for each merchant, so a spy
 * of the one that they get would see nothing. `owner` is the merchant.
 */
export function spyDatabase(
  member: 'execute' | 'transaction',
  replaced: (call: Call) => Promise<unknown>,
): { mockRestore: () => void } {
  const original = PooledDatabase.prototype[member] as (...args: unknown[]) => Promise<unknown>;
  return vi.spyOn(PooledDatabase.prototype, member).mockImplementation(function (
    this: PooledDatabase,
    ...args: unknown[]
  ) {
    const run = async (): Promise<unknown> => await original.apply(this, args);
    return replaced({ owner: this.sending.owner, argument: args[0], run }) as never;
  });
}
