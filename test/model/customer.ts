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
    refusedWith(input.id !== undefined && !stored && 'NOT_FOUND') ?? {
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
