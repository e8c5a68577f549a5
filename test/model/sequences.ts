import fc, { type Arbitrary } from 'fast-check';
import { AUTOMATED_COMMANDS } from './automated-commands.ts';
import { memberChoices, slot, slots } from './choices.ts';
import type { Command, Definition, Mode } from './command.ts';
import { DEFINITIONS, PRODUCT_COMMANDS } from './commands.ts';
import { EVENT_SCOPES } from './events.ts';
import { TIMES } from './hold.ts';
import { CUSTOMER_COMMANDS, namedChoices, RECORD_COMMANDS, TREE_COMMANDS } from './record-commands.ts';
import { SQL_COMMANDS } from './sql-commands.ts';
import { type Kind, KINDS } from './state.ts';
import { STOCK_COMMANDS } from './stock-commands.ts';

const MAX_COMMANDS = 80;

/** Commands that sequences begin with, and those that follow. */
type Theme = { begin: Arbitrary<Command>[]; commands: Record<string, Pick<Definition<unknown>, 'choices' | 'weight'>> };

const LISTEN = first('saveWebhooks', { scopes: EVENT_SCOPES, endpoint: 'https://a.example/' });
const SECOND_LOCATION = first('saveNamed', { ...named('location', 'Second'), allowsNegativeStock: true });
const { deleted: _, ...members } = memberChoices;
const PRODUCT = fc.record({ members: fc.record(members, { requiredKeys: [] }) }).map((choices) => ({
  name: 'saveProduct',
  choices: {
    mayRepeat: false,
    isNew: true,
    slot: 0,
    name: 'First',
    variants: [{ slot: null }, { slot: null, sku: 'first' }],
    ...choices,
  },
  mode: 'once' as const,
}));

const AUTOMATED = [
  [{ conditionType: 'PRODUCT_BRAND', method: 'NOT_IN', chosen: [0] }],
  [
    { conditionType: 'PRODUCT_TAG', method: 'NOT_IN', chosen: [0] },
    { conditionType: 'PRICE_RANGE', method: 'IN', chosen: ['1', '5'] },
  ],
].map((conditions) =>
  first('saveAutomated', {
    isNew: true,
    slot: 0,
    name: 'Automated',
    shouldMatchAllConditions: true,
    sendsBack: false,
    conditions,
  }),
);

/** The other variant of the first product has no counts. */
const places = [0, 1].map((location) => ({ count: null, product: 0, variant: 0, location }));
const HOLD = { usedKey: null, quantity: 2.5, reference: null, expiresAt: TIMES.later, hasProduct: true };
const COUNTS = [
  first('saveStocks', { mayRepeat: false, entries: places.map((place) => ({ place, stockCount: 8 })) }),
  first('holdStock', { mayRepeat: false, entries: places.map((place) => ({ place, ...HOLD })) }),
];
/** Two of each of which products may have several. Names of categories may repeat. */
const OF_PRODUCTS = [
  ...(['tag', 'brand', 'category', 'category', 'channel', 'channel'] as const).map((kind) => firstNamed(kind)),
  ...['USD', 'EUR'].map((currency) => first('saveNamed', { ...named('priceList', 'First'), currency })),
];
const { saveProduct, updateProduct, bulkUpdate, savePrices } = PRODUCT_COMMANDS;
const { revertChanges } = RECORD_COMMANDS;

/** Sequences have the commands of one theme, so that those that belong together meet more often. */
const THEMES: readonly Theme[] = [
  {
    begin: [LISTEN, ...KINDS.map((kind) => firstNamed(kind)), SECOND_LOCATION, PRODUCT, ...COUNTS],
    commands: DEFINITIONS,
  },
  { begin: [LISTEN, ...OF_PRODUCTS, PRODUCT], commands: PRODUCT_COMMANDS },
  { begin: [...OF_PRODUCTS, PRODUCT], commands: { ...PRODUCT_COMMANDS, ...RECORD_COMMANDS } },
  {
    begin: [...OF_PRODUCTS.slice(-2), PRODUCT],
    commands: {
      updateProduct,
      savePrices,
      bulkUpdate: { ...bulkUpdate, weight: 1 },
      revertChanges: { ...revertChanges, weight: 1 },
      saveNamed: { weight: 4, choices: namedChoices(['priceList'], fc.constant(false)) },
      deleteNamed: { weight: 2, choices: fc.record({ kind: fc.constant('priceList'), slots: fc.tuple(slot) }) },
    },
  },
  {
    begin: [firstNamed('location'), SECOND_LOCATION, PRODUCT, ...COUNTS],
    commands: { ...STOCK_COMMANDS, ...SQL_COMMANDS, revertChanges },
  },
  { begin: KINDS.map((kind) => firstNamed(kind)), commands: RECORD_COMMANDS },
  { begin: [LISTEN], commands: CUSTOMER_COMMANDS },
  {
    begin: [...Array.from({ length: 4 }, () => firstNamed('category')), PRODUCT, PRODUCT],
    commands: {
      ...TREE_COMMANDS,
      saveProduct: { ...saveProduct, weight: 2 },
      updateProduct: { ...updateProduct, weight: 3 },
      revertChanges: { ...revertChanges, weight: 4 },
      deleteNamed: { weight: 3, choices: fc.record({ kind: fc.constant('category'), slots }) },
    },
  },
  {
    begin: [LISTEN, ...OF_PRODUCTS, PRODUCT, ...AUTOMATED],
    commands: {
      ...PRODUCT_COMMANDS,
      ...AUTOMATED_COMMANDS,
      updateProduct: { ...updateProduct, weight: 16 },
      savePrices: { ...savePrices, weight: 8 },
      revertChanges: { ...revertChanges, weight: 4 },
      saveNamed: { weight: 2, choices: namedChoices(['tag', 'brand', 'category']) },
      deleteNamed: { weight: 2, choices: fc.record({ kind: fc.constantFrom('tag', 'brand', 'category'), slots }) },
    },
  },
];

/** Sequences of commands, of each theme: the first ones create records, so that the others have something to change. */
export const SEQUENCES_BY_THEME: readonly Arbitrary<Command[]>[] = THEMES.map(({ begin, commands }) =>
  fc.tuple(fc.tuple(...begin), commandsOf(commands)).map(([first, rest]) => [...first, ...rest]),
);

function commandsOf(commands: Theme['commands']): Arbitrary<Command[]> {
  const weighted = Object.entries(commands).map(([name, { choices, weight }]) => ({
    weight,
    arbitrary: fc.record({
      name: fc.constant(name),
      choices,
      mode: fc.constantFrom<Mode>('once', 'once', 'once', 'once', 'dry run', 'twice'),
    }),
  }));
  // Without bias: half of the sequences would be short, and have little to combine.
  return fc.noBias(fc.array(fc.oneof(...weighted), { minLength: 1, maxLength: MAX_COMMANDS, size: 'max' }));
}

function firstNamed(kind: Kind): Arbitrary<Command> {
  return first('saveNamed', named(kind, 'First'));
}

function named(kind: Kind, name: string) {
  return { kind, isNew: true, slot: 0, name, currency: 'EUR' };
}

function first(name: keyof typeof DEFINITIONS | keyof typeof AUTOMATED_COMMANDS, choices: object): Arbitrary<Command> {
  return fc.constant({ name, choices, mode: 'once' });
}
