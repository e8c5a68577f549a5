import type { Context } from '../../context.ts';

/** The condition on the app that the operator names; null without one. */
export async function appFilter(ctx: Context, named: string | undefined): Promise<{ eq: string } | null> {
  if (named === undefined) return null;
  const { findAppId } = await import('../database/find-merchant.ts');
  return { eq: await findAppId(ctx, named) };
}
