import type { Context } from '../context.ts';
import { readRecord } from '../db/read.ts';
import type { Selection } from '../db/shape.ts';
import type { MeResponse } from '../graphql/types.generated.ts';
import { meShape } from './app.ts';

export async function me(ctx: Context, selection: Selection): Promise<MeResponse> {
  return await readRecord(ctx, meShape, ctx.session.authorizedAppId, selection);
}
