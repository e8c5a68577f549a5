import type { Context } from '../context.ts';
import { recordRead } from '../db/read/read.ts';
import type { Selection } from '../db/read/projection.ts';
import { together } from '../db/write/pipeline.ts';
import type { AuthorizedApp } from '../graphql/generated/types.ts';
import { authorizedAppShape } from './app.ts';

export async function getAuthorizedApp(ctx: Context, selection: Selection): Promise<AuthorizedApp> {
  return await together(ctx, [recordRead(ctx, authorizedAppShape, ctx.session.authorizedAppId, selection)]);
}
