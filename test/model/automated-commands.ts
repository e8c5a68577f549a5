import fc from 'fast-check';
import { REFERRED, saveAutomated } from './automated.ts';
import { deleted, isNew, name, slot, slots } from './choices.ts';
import { definition } from './command.ts';
import { defined, idAt } from './inputs.ts';
import { byId } from './state.ts';

/** Values of conditions that name no records. */
const TEXTS: Record<string, readonly string[][]> = {
  PRODUCT_NAME: [['ADA'], ['o', ' ca '], ['d']],
  PRICE_RANGE: [
    ['1', '5'],
    ['', '1'],
    ['12.34', ''],
    ['0.000001', '0.000001'],
  ],
  DISCOUNTED_PRODUCTS: [['true'], ['false']],
};

const method = fc.constantFrom('IN' as const, 'NOT_IN' as const);
const condition = fc.oneof(
  ...Object.keys(REFERRED).map((conditionType) =>
    fc.record({ conditionType: fc.constant(conditionType), method, chosen: slots }),
  ),
  ...Object.entries(TEXTS).map(([conditionType, lists]) =>
    fc.record({ conditionType: fc.constant(conditionType), method, chosen: fc.constantFrom(...lists) }),
  ),
);

export const AUTOMATED_COMMANDS = {
  saveAutomated: definition({
    weight: 6,
    choices: fc.record(
      {
        isNew,
        slot,
        name: name.map((text) => `Automated ${text}`),
        deleted,
        shouldMatchAllConditions: fc.boolean(),
        sendsBack: fc.boolean(),
        conditions: fc.array(condition, { minLength: 1, maxLength: 2 }),
      },
      { requiredKeys: ['isNew', 'slot', 'name', 'shouldMatchAllConditions', 'sendsBack', 'conditions'] },
    ),
    request: (state, { isNew, slot, sendsBack, conditions, ...members }) => {
      const id = isNew ? undefined : idAt(state.automated, slot);
      const stored = sendsBack ? byId(state.automated, id) : undefined;
      const random = conditions.map(({ chosen, ...one }) => {
        const list = state.named[REFERRED[one.conditionType] ?? 'category'];
        return { ...one, valueList: chosen.map((value) => (typeof value === 'number' ? idAt(list, value) : value)) };
      });
      const input = defined({ id, ...members, conditions: stored?.conditions ?? random });
      return {
        operation: 'saveCategory',
        variables: { input: { ...input, isAutomated: true } },
        verdict: saveAutomated(state, input),
      };
    },
  }),
} as const;
