import type { Context } from '../context.ts';
import { readRecordStep } from '../db/read/read.ts';
import type { Selection } from '../db/read/projection.ts';
import { pipeline } from '../db/write/pipeline.ts';
import type { AuthorizedApp } from '../graphql/generated/types.ts';
import { authorizedAppShape } from './app.ts';

export async function getAuthorizedApp(ctx: Context, selection: Selection): Promise<AuthorizedApp> {
  return await pipeline(ctx, [readRecordStep(ctx, authorizedAppShape, ctx.session.authorizedAppId, selection)]);
}
