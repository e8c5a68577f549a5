import type { Context } from '../context.ts';
import { readRecord } from '../db/read/read-records.ts';
import type { Selection } from '../db/read/projection.ts';
import type { AuthorizedApp } from '../graphql/generated/types.ts';
import { authorizedAppProjection } from './app.ts';

export async function getAuthorizedApp(ctx: Context, selection: Selection): Promise<AuthorizedApp> {
  // Its session exists, so it does.
  return (await readRecord(ctx, authorizedAppProjection, ctx.session.authorizedAppId, selection))!;
}
