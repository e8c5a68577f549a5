import { explained } from '../../bench/plan.ts';
import { connectOnce } from '../../src/db/connection/connect.ts';
import { TENANT_TABLES } from '../contract/tenant-tables.ts';

export type Sent = { text: string; parameters: readonly unknown[] };

export function namesTenantTable({ text }: Sent): boolean {
  return [...TENANT_TABLES].some((table) => new RegExp(`\\b(?:from|into|update|join)\\s+"?${table}\\b`).test(text));
}

/** The statements on tenant tables whose plan is not one task on one shard, with their plans. */
export async function notRouted(url: string, sent: readonly Sent[]): Promise<string[]> {
  const statements = sent.filter(namesTenantTable);
  if (statements.length === 0) throw new Error('No statement on a tenant table was sent.');
  const plans = await plansOf(url, statements);
  return plans.filter((plan) => !plan.includes('Task Count: 1\n') || /Subplan|pull to coordinator/.test(plan));
}

/** The plan of each text, below the text. */
export async function plansOf(url: string, sent: readonly Sent[]): Promise<string[]> {
  const client = connectOnce(url);
  await client.unsafe("set plan_cache_mode = 'force_custom_plan'");
  const plans: string[] = [];
  for (const { text, parameters } of new Map(sent.map((statement) => [statement.text, statement])).values()) {
    const { prepare, explain, deallocate } = explained({ text, parameters: [...parameters] }, '(costs off)');
    await client.unsafe(prepare);
    const rows = await client.unsafe(explain);
    await client.unsafe(deallocate);
    plans.push([text, ...rows.map((row) => String(row['QUERY PLAN']))].join('\n'));
  }
  await client.end();
  return plans;
}
