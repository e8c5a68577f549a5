import { newId } from '../db/sql/id.ts';
import { notFound } from '../errors.ts';
import { withoutUndefined } from '../field-input.ts';
import type { CustomerAddress, CustomerAddressRegion } from '../graphql/generated/types.ts';
import type { AddressInput, AttributeValueInput } from './customer-input.ts';

/**
 * The documents that are stored for a sent list: those matched by id keep what is left out, and
 * those that are not in the list are gone. Each has all members, because events carry it as it is.
 */
export function mergeAddresses(stored: CustomerAddress[], inputs: AddressInput[]): CustomerAddress[] {
  const storedById = new Map(stored.map((address) => [address.id, address]));
  return inputs.flatMap((input, index) => {
    const before = input.id === undefined ? undefined : storedById.get(input.id);
    if (input.id !== undefined && !before)
      throw notFound('CustomerAddress', [input.id], ['input', 'addresses', index, 'id']);
    return input.deleted ? [] : [touched(before, { ...(before ?? newAddress()), ...given(input, before) })];
  });
}

function newAddress(): Pick<CustomerAddress, 'id' | 'createdAt' | 'updatedAt' | 'deleted'> {
  const now = Date.now();
  return { id: newId(), createdAt: now, updatedAt: now, deleted: false };
}

function given(input: AddressInput, before: CustomerAddress | undefined) {
  const { id: _id, deleted: _deleted, attributes, city, country, district, state, region, ...texts } = input;
  const kept = before ?? absent;
  return {
    ...kept,
    ...withoutUndefined(texts),
    attributes: attributes === undefined ? kept.attributes : (attributes?.map(attributeValue) ?? null),
    city: { ...noPlace, ...city },
    country: { ...noPlace, iso2: null, iso3: null, ...country },
    district: district === undefined ? kept.district : district && { ...noPlace, ...district },
    state: state === undefined ? kept.state : state && { ...noPlace, ...state },
    region: region === undefined ? kept.region : region && regionDocument(region, kept.region ?? undefined),
  } as CustomerAddress;
}

const noPlace = { id: null, code: null, name: null };

const absent: Partial<CustomerAddress> = {
  addressLine2: null,
  company: null,
  phone: null,
  postalCode: null,
  identityNumber: null,
  taxNumber: null,
  taxOffice: null,
  isDefault: null,
  attributes: null,
  district: null,
  state: null,
  region: null,
};

/** A value with all members, as events and answers show it. */
export function attributeValue(input: AttributeValueInput) {
  return { customerAttributeId: null, customerAttributeOptionId: null, value: null, ...withoutUndefined(input) };
}

function regionDocument(
  input: NonNullable<AddressInput['region']>,
  stored?: CustomerAddressRegion,
): CustomerAddressRegion {
  const before = stored && (input.id ?? stored.id) === stored.id ? stored : undefined;
  const now = Date.now();
  const region = {
    id: input.id ?? before?.id ?? newId(),
    name: input.name,
    deleted: input.deleted ?? before?.deleted ?? false,
  };
  return touched(before, { createdAt: now, updatedAt: now, ...before, ...region });
}

/** What is sent back as it was read keeps its time of change. */
function touched<T extends { updatedAt?: unknown }>(before: T | undefined, after: T): T {
  return before && JSON.stringify(sorted(before)) !== JSON.stringify(sorted(after))
    ? { ...after, updatedAt: Date.now() }
    : after;
}

function sorted(record: object): unknown[] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}
