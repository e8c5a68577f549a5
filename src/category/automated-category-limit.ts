import { sql } from 'drizzle-orm';
import { category } from '../../drizzle/category.ts';
import type { PipelineStep } from '../db/connection/pipeline.ts';
import { ownedBy, type Tenant } from '../db/sql/parameter.ts';
import { invalidAt } from '../errors.ts';

/**
 * Maximum number of automated categories of a merchant. It limits the answer of `listProduct`, because each product of
 * a page can be in all of them. Two saves at the same time can exceed the limit by one, which does no harm.
 */
const MAX_AUTOMATED_CATEGORIES = 1_000;

type Automation = Pick<typeof category.$inferInsert, 'isAutomated' | 'conditions' | 'deleted'>;
type SavedCategory = Automation & { id: string };

/**
 * The step that refuses another automated category of a merchant who has the most already. The saved one is not counted:
 * a revert has written it before.
 */
export function automatedCategoryLimit(ctx: Tenant, saved: SavedCategory, stored: Automation): PipelineStep<void>[] {
  if (!isAutomated(saved) || isAutomated(stored)) return [];
  const statement = sql`
    select count(*)::int as "count" from ${category}
    where ${ownedBy(ctx, category)} and ${category.byConditions} and not ${category.deleted}
      and ${category.id} <> ${saved.id}::uuid`;
  return [{ statement, read: ([row]) => checkCount(Number(row!['count'])) }];
}

/** As the trigger `fill_category_by_conditions` decides, of a category that is not deleted. */
function isAutomated({ isAutomated, conditions, deleted }: Automation): boolean {
  return isAutomated === true && !deleted && Array.isArray(conditions) && conditions.length > 0;
}

function checkCount(count: number): void {
  if (count < MAX_AUTOMATED_CATEGORIES) return;
  const message = `must not be true for more than ${MAX_AUTOMATED_CATEGORIES} categories of the merchant`;
  throw invalidAt(['input', 'isAutomated'], message);
}
