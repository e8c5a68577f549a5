import { sql } from 'drizzle-orm';
import { stockMovement } from '../../../drizzle/stock-movement.ts';
import { changeProjections, forReader } from '../../change/change.ts';
import type { Context } from '../../context.ts';
import { enumValue } from '../../db/read/fields.ts';
import { type JsonExpression, projection } from '../../db/read/projection.ts';
import { hasOne } from '../../db/read/relations.ts';
import type { ChangeSet, StockMovement } from '../../graphql/generated/types.ts';

/** Apps that the token may not read are not shown. */
export function stockMovementProjection(ctx: Pick<Context, 'session'>) {
  return forReader(ctx, PROJECTIONS);
}

const PROJECTIONS = {
  withApps: projectionWith(changeProjections.withApps.changeSet),
  withoutApps: projectionWith(changeProjections.withoutApps.changeSet),
};

function projectionWith(changeSets: (typeof changeProjections)['withApps']['changeSet']) {
  return projection<StockMovement>()(stockMovement, {
    kind: (row) => enumValue(row.kind),
    changeSet: (row, scope) =>
      hasOne(scope, changeSets, (set) => [sql`${set.id} = ${row.changeSetId}`]) as JsonExpression<ChangeSet>,
  });
}
