import type { Context } from '../context.ts';
import { readRecord } from '../db/read.ts';
import type { Selection } from '../db/shape.ts';
import type { AuthorizedApp } from '../graphql/types.generated.ts';
import { authorizedAppShape } from './app.ts';

export async function getAuthorizedApp(ctx: Context, selection: Selection): Promise<AuthorizedApp> {
  return await readRecord(ctx, authorizedAppShape, ctx.session.authorizedAppId, selection);
}
