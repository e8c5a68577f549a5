import fc, { type Arbitrary } from 'fast-check';
import type { Command, Mode } from './command.ts';
import { type DEFINITIONS, THEMES } from './commands.ts';
import { TIMES } from './hold.ts';
import { KINDS } from './state.ts';

const FIRST_PRODUCT = {
  mayRepeat: false,
  isNew: true,
  slot: 0,
  name: 'First',
  members: {},
  variants: [{ slot: null }, { slot: null, sku: 'first' }],
};

/** The other variant of the first product has no counts. */
const places = [0, 1].map((location) => ({ count: null, product: 0, variant: 0, location }));
const FIRST_COUNTS = { mayRepeat: false, entries: places.map((place) => ({ place, stockCount: 8 })) };
const HOLD = { usedKey: null, quantity: 2.5, reference: null, expiresAt: TIMES.later, hasProduct: true };
const FIRST_HOLDS = { mayRepeat: false, entries: places.map((place) => ({ place, ...HOLD })) };

/** Sequences of commands: the first ones create records of each kind, so that the others have something to change. */
export const sequences: Arbitrary<Command[]> = fc
  .tuple(
    fc.tuple(
      ...KINDS.map((kind) => first('saveNamed', { kind, isNew: true, slot: 0, name: 'First' })),
      first('saveNamed', { kind: 'location', isNew: true, slot: 0, name: 'Second', allowsNegativeStock: true }),
      first('saveProduct', FIRST_PRODUCT),
      first('saveStocks', FIRST_COUNTS),
      first('holdStock', FIRST_HOLDS),
    ),
    fc.oneof(...THEMES.map(commandsOf)),
  )
  .map(([begin, rest]) => [...begin, ...rest]);

function commandsOf(theme: (typeof THEMES)[number]): Arbitrary<Command[]> {
  const commands = Object.entries(theme).map(([name, { choices, weight }]) => ({
    weight,
    arbitrary: fc.record({
      name: fc.constant(name),
      choices: choices as Arbitrary<unknown>,
      mode: fc.constantFrom<Mode>('once', 'once', 'once', 'once', 'dry run', 'twice'),
    }),
  }));
  return fc.array(fc.oneof(...commands), { minLength: 1, maxLength: 80, size: 'max' });
}

function first(name: keyof typeof DEFINITIONS, choices: object): Arbitrary<Command> {
  return fc.constant({ name, choices, mode: 'once' });
}
