import fc from 'fast-check';
import { currency, deleted, isNew, name, NOWHERE, orNull, scopes, slot, slots, slug } from './choices.ts';
import { definition, listDefinition } from './command.ts';
import { deleteCustomers, eraseCustomers, saveCustomer } from './customer.ts';
import { defined, idAt, withPage } from './inputs.ts';
import { deleteNamed, saveNamed, WITH_PAGE } from './named.ts';
import { revertSet } from './revert.ts';
import { type Kind, KINDS } from './state.ts';
import { saveCategory } from './tree.ts';
import { deleteWebhooks, saveWebhooks } from './webhook.ts';

const OPERATIONS: Record<Kind, { save: string; remove: string; required: object }> = {
  tag: { save: 'saveProductTag', remove: 'deleteProductTagList', required: {} },
  brand: { save: 'saveProductBrand', remove: 'deleteProductBrandList', required: {} },
  category: { save: 'saveCategory', remove: 'deleteCategoryList', required: {} },
  channel: { save: 'saveSalesChannel', remove: 'deleteSalesChannelList', required: { type: 'STOREFRONT' } },
  location: { save: 'saveStockLocation', remove: 'deleteStockLocationList', required: {} },
  priceList: { save: 'savePriceList', remove: 'deletePriceListList', required: {} },
  attribute: { save: 'saveProductAttribute', remove: 'deleteProductAttributeList', required: { type: 'TEXT' } },
  variantType: {
    save: 'saveVariantType',
    remove: 'deleteVariantTypeList',
    required: { selectionType: 'choice', values: [{ name: 'One' }] },
  },
};

const REVERTS = {
  revertChanges: definition({
    weight: 8,
    choices: fc.constantFrom<number | 'again'>(0, 0, 0, 1, 1, 2, 3, 5, 'again', 'again', 'again', NOWHERE),
    request: (state, back) => {
      const { moments } = state;
      const reverted = moments.findLast(({ reverts }) => reverts !== null)?.reverts;
      const again = moments.find(({ changeSetId }) => changeSetId === reverted);
      const moment = back === 'again' ? again : back === NOWHERE ? undefined : moments.at(-1 - back);
      const changeSetId = moment?.changeSetId ?? idAt([], 0);
      return { operation: 'revertChanges', variables: { input: { changeSetId } }, verdict: revertSet(state, moment) };
    },
  }),
} as const;

export const CUSTOMER_COMMANDS = {
  ...REVERTS,
  saveCustomer: definition({
    weight: 6,
    choices: fc.record(
      { isNew, slot, firstName: name, lastName: orNull(name), email: orNull(fc.constant('a@example.com')), deleted },
      { requiredKeys: ['isNew', 'slot', 'firstName'] },
    ),
    request: (state, { isNew, slot, ...members }) => {
      const input = defined({ id: isNew ? undefined : idAt(state.customers, slot), ...members });
      return { operation: 'saveCustomer', variables: { input }, verdict: saveCustomer(state, input) };
    },
  }),
  deleteCustomers: listDefinition('deleteCustomerList', 1, ({ customers }) => customers, deleteCustomers),
  eraseCustomers: listDefinition('eraseCustomerList', 2, ({ customers }) => customers, eraseCustomers),
} as const;

export const RECORD_COMMANDS = {
  ...CUSTOMER_COMMANDS,
  saveNamed: definition({
    weight: 6,
    choices: namedChoices(KINDS),
    request: (state, { kind, isNew, slot, name, deleted, slug, currency, ...rest }) => {
      const own = kind === 'location' ? rest : kind === 'priceList' ? { currency } : {};
      const input = defined({ id: isNew ? undefined : idAt(state.named[kind], slot), name, deleted, ...own });
      const page = WITH_PAGE.includes(kind) ? defined({ slug }) : {};
      const { save, required } = OPERATIONS[kind];
      return {
        operation: save,
        variables: { input: withPage({ ...required, ...input, ...page }) },
        verdict: saveNamed(state, kind, { ...input, ...page }),
      };
    },
  }),
  deleteNamed: definition({
    weight: 3,
    choices: fc.record({ kind: fc.constantFrom(...KINDS), slots }),
    request: (state, { kind, slots }) => {
      const idList = slots.map((one) => idAt(state.named[kind], one));
      return { operation: OPERATIONS[kind].remove, variables: { idList }, verdict: deleteNamed(state, kind, idList) };
    },
  }),
  saveWebhooks: definition({
    weight: 2,
    choices: fc.record({ scopes, endpoint: fc.constantFrom('https://a.example/', 'https://b.example/') }),
    request: (state, { scopes, endpoint }) => ({
      operation: 'saveWebhook',
      variables: { input: { scopes, endpoint } },
      verdict: saveWebhooks(state, scopes, endpoint),
    }),
  }),
  deleteWebhooks: definition({
    weight: 1,
    choices: scopes,
    request: (state, scopes) => ({
      operation: 'deleteWebhook',
      variables: { scopes },
      verdict: deleteWebhooks(state, scopes),
    }),
  }),
} as const;

/** Makes trees of categories. Not together with `bulkUpdate`, whose names mean only categories without a parent. */
export const TREE_COMMANDS = {
  saveCategory: definition({
    weight: 8,
    choices: fc.record(
      { isNew, slot, name, deleted, parent: orNull(slot) },
      { requiredKeys: ['isNew', 'slot', 'name'] },
    ),
    request: (state, { isNew, slot, parent, ...members }) => {
      const list = state.named.category;
      const parentId = typeof parent === 'number' ? idAt(list, parent) : parent;
      const input = defined({ id: isNew ? undefined : idAt(list, slot), ...members, parentId });
      return { operation: 'saveCategory', variables: { input }, verdict: saveCategory(state, input) };
    },
  }),
} as const;

export function namedChoices(kinds: readonly Kind[], mayBeNew = isNew) {
  return fc.record(
    {
      kind: fc.constantFrom(...kinds),
      isNew: mayBeNew,
      slot,
      name,
      deleted,
      slug,
      allowsNegativeStock: orNull(fc.boolean()),
      currency,
    },
    { requiredKeys: ['kind', 'isNew', 'slot', 'name', 'currency'] },
  );
}
