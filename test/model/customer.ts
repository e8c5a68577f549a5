import {
  byId,
  changedIn,
  type Customer,
  merge,
  type State,
  unknownIn,
  unless,
  type Verdict,
  withRecord,
} from './state.ts';

export type SaveCustomer = Partial<Customer> & { firstName: string };

const NEW_CUSTOMER = { lastName: null, email: null, deleted: false };

export function saveCustomer(state: State, { id, ...members }: SaveCustomer): Verdict {
  const stored = byId(state.customers, id);
  return unless([unknownIn(openCustomers(state), [id])], (newId) => {
    const customer = merge(stored ?? { ...NEW_CUSTOMER, firstName: '', id: newId('id') }, members);
    return { ...state, customers: withRecord(state.customers, customer) };
  });
}

export function deleteCustomers(state: State, ids: readonly string[]): Verdict {
  return unless([unknownIn(state.customers, ids)], () => ({
    ...state,
    customers: changedIn(state.customers, ids, { deleted: true }),
  }));
}

/** Customers that are erased already stay with their receipt. */
export function eraseCustomers(state: State, ids: readonly string[]): Verdict {
  const open = openCustomers(state)
    .map(({ id }) => id)
    .filter((id) => ids.includes(id));
  return unless([unknownIn(state.customers, ids)], () => ({
    ...state,
    customers: changedIn(state.customers, open, { ...NEW_CUSTOMER, firstName: '', deleted: true }),
    erasures: open.length > 0 ? [...state.erasures, open.toSorted()] : state.erasures,
  }));
}

function openCustomers({ customers, erasures }: State): Customer[] {
  return customers.filter(({ id }) => !erasures.flat().includes(id));
}
