import fc, { type Arbitrary } from 'fast-check';
import type { Command, Mode } from './command.ts';
import { DEFINITIONS } from './commands.ts';
import { KINDS } from './state.ts';

const FIRST_PRODUCT = {
  mayRepeat: false,
  isNew: true,
  slot: 0,
  name: 'First',
  members: {},
  variants: [{ slot: null }, { slot: null, sku: 'first' }],
};

/** Sequences of commands: the first ones create records of each kind, so that the others have something to change. */
export const sequences: Arbitrary<Command[]> = fc
  .tuple(
    fc.tuple(
      ...KINDS.map((kind) => first('saveNamed', { kind, isNew: true, slot: 0, name: 'First' })),
      first('saveProduct', FIRST_PRODUCT),
    ),
    fc.array(
      fc.oneof(
        ...Object.entries(DEFINITIONS).map(([name, { choices, weight }]) => ({
          weight,
          arbitrary: fc.record({
            name: fc.constant(name),
            choices: choices as Arbitrary<unknown>,
            mode: fc.constantFrom<Mode>('once', 'once', 'once', 'once', 'dry run', 'twice'),
          }),
        })),
      ),
      { minLength: 1, maxLength: 80, size: 'max' },
    ),
  )
  .map(([begin, rest]) => [...begin, ...rest]);

function first(name: keyof typeof DEFINITIONS, choices: object): Arbitrary<Command> {
  return fc.constant({ name, choices, mode: 'once' });
}
