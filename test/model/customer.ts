import { byId, refusedWith, type State, type Verdict, withRecord } from './state.ts';

export type SaveCustomer = {
  id?: string;
  firstName: string;
  lastName?: string | null;
  email?: string | null;
  deleted?: boolean;
};

export function saveCustomer(state: State, input: SaveCustomer): Verdict {
  const stored = input.id === undefined ? undefined : byId(state.customers, input.id);
  return (
    refusedWith(input.id !== undefined && (!stored || isErased(state, input.id)) && 'NOT_FOUND') ?? {
      settle: (newId) => ({
        ...state,
        customers: withRecord(state.customers, {
          id: stored?.id ?? newId('id'),
          firstName: input.firstName,
          lastName: input.lastName === undefined ? (stored?.lastName ?? null) : input.lastName,
          email: input.email === undefined ? (stored?.email ?? null) : input.email,
          deleted: input.deleted ?? stored?.deleted ?? false,
        }),
      }),
    }
  );
}

export function deleteCustomers(state: State, ids: readonly string[]): Verdict {
  return (
    refusedWith(ids.some((id) => !byId(state.customers, id)) && 'NOT_FOUND') ?? {
      settle: () => ({
        ...state,
        customers: state.customers.map((one) => (ids.includes(one.id) ? { ...one, deleted: true } : one)),
      }),
    }
  );
}

/** Customers that are erased already stay with their receipt. */
export function eraseCustomers(state: State, ids: readonly string[]): Verdict {
  const open = state.customers.map(({ id }) => id).filter((id) => ids.includes(id) && !isErased(state, id));
  const empty = { firstName: '', lastName: null, email: null, deleted: true };
  return (
    refusedWith(ids.some((id) => !byId(state.customers, id)) && 'NOT_FOUND') ?? {
      settle: () => ({
        ...state,
        customers: state.customers.map((one) => (open.includes(one.id) ? { ...one, ...empty } : one)),
        erasures: open.length > 0 ? [...state.erasures, open.toSorted()] : state.erasures,
      }),
    }
  );
}

function isErased({ erasures }: State, id: string): boolean {
  return erasures.flat().includes(id);
}
