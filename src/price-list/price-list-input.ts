import { z } from 'zod';
import { list } from '../field-input.ts';
import { priceListRuleListInput } from './generated/price-list-input.ts';

const { rules } = priceListRuleListInput.shape;
/** Plain SQL may have stored more rules than a client may send. */
const ruleList = z.array(priceListRuleListInput.extend({ rules: list(rules.element) }));

export type RuleList = z.output<typeof ruleList>;
export type RuleListEntry = RuleList[number];

/** The stored rules, or null if they do not have the shape of the input. Plain SQL can store any JSON. */
export function storedRuleList(value: unknown): RuleList | null {
  return ruleList.safeParse(value).data ?? null;
}
