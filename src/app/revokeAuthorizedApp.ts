import type { Context } from '../context.ts';
import type { MutationRevokeAuthorizedAppArgs } from '../graphql/generated/types.ts';
import { revokeApp } from './revoke-app.ts';

export async function revokeAuthorizedApp(ctx: Context, { id }: MutationRevokeAuthorizedAppArgs): Promise<boolean> {
  await revokeApp(ctx, { authorizedAppId: id });
  return true;
}
