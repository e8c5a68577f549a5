import { type SQL, sql } from 'drizzle-orm';
import { category } from '../../drizzle/category.ts';
import { ownedBy, type Tenant } from '../db/sql/parameter.ts';

/** Whether the merchant has automated categories with conditions, deleted ones too, for statements. */
export function hasAutomatedCategories(tenant: Tenant): SQL<boolean> {
  return sql`exists (select from ${category} where ${ownedBy(tenant, category)} and ${category.byConditions})`;
}
