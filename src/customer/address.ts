import { newId } from '../db/sql/id.ts';
import { isSame } from '../db/write/unchanged.ts';
import { notFound } from '../errors.ts';
import { withoutUndefined } from '../field-input.ts';
import type { CustomerAddress, CustomerAddressRegion } from '../graphql/generated/types.ts';
import type { CustomerAddressInput, CustomerAttributeValueInput } from './generated/customer-input.ts';

/**
 * The stored form of a sent list. An address with a known id keeps the members that were left out. Stored addresses
 * that are not in the list are removed. Each address has all members, because events contain the stored document.
 */
export function mergeAddresses(stored: CustomerAddress[], inputs: CustomerAddressInput[]): CustomerAddress[] {
  const storedById = new Map(stored.map((address) => [address.id, address]));
  return inputs.flatMap((input, index) => {
    const before = input.id === undefined ? undefined : storedById.get(input.id);
    if (input.id !== undefined && !before)
      throw notFound('CustomerAddress', [input.id], ['input', 'addresses', index, 'id']);
    return input.deleted
      ? []
      : [withUpdatedAt(before, { ...(before ?? newAddress()), ...mergedAddress(input, before) })];
  });
}

function newAddress(): Pick<CustomerAddress, 'id' | 'createdAt' | 'updatedAt' | 'deleted'> {
  const now = Date.now();
  return { id: newId(), createdAt: now, updatedAt: now, deleted: false };
}

function mergedAddress(input: CustomerAddressInput, before: CustomerAddress | undefined) {
  const { id: _id, deleted: _deleted, attributes, city, country, district, state, region, ...texts } = input;
  const base = before ?? emptyAddress;
  return {
    ...base,
    ...withoutUndefined(texts),
    attributes: attributes === undefined ? base.attributes : (attributes?.map(attributeValue) ?? null),
    city: { ...emptyPlace, ...city },
    country: { ...emptyPlace, iso2: null, iso3: null, ...country },
    district: district === undefined ? base.district : district && { ...emptyPlace, ...district },
    state: state === undefined ? base.state : state && { ...emptyPlace, ...state },
    region: region === undefined ? base.region : region && regionDocument(region, base.region ?? undefined),
  } as CustomerAddress;
}

const emptyPlace = { id: null, code: null, name: null };

const emptyAddress: Partial<CustomerAddress> = {
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

/** An attribute value with all members, as events and answers have it. */
export function attributeValue(input: CustomerAttributeValueInput) {
  return { customerAttributeId: null, customerAttributeOptionId: null, value: null, ...withoutUndefined(input) };
}

function regionDocument(
  input: NonNullable<CustomerAddressInput['region']>,
  stored?: CustomerAddressRegion,
): CustomerAddressRegion {
  const before = stored && (input.id ?? stored.id) === stored.id ? stored : undefined;
  const now = Date.now();
  const region = {
    id: input.id ?? before?.id ?? newId(),
    name: input.name,
    deleted: input.deleted ?? before?.deleted ?? false,
  };
  return withUpdatedAt(before, { createdAt: now, updatedAt: now, ...before, ...region });
}

/** Sets `updatedAt`, unless the record is sent back unchanged. */
function withUpdatedAt<T extends { updatedAt?: unknown }>(before: T | undefined, after: T): T {
  return before && !isSame(before, after) ? { ...after, updatedAt: Date.now() } : after;
}
