import type { Context } from '../../context.ts';

/** The filter for the app of the option `--app`; null if the option is left out. */
export async function appFilter(ctx: Context, named: string | undefined): Promise<{ eq: string } | null> {
  if (named === undefined) return null;
  const { findAppId } = await import('../database/find-merchant.ts');
  return { eq: await findAppId(ctx, named) };
}
