import { stockHold } from '../../../drizzle/stock-hold.ts';
import { enumValue } from '../../db/read/fields.ts';
import { projection } from '../../db/read/projection.ts';
import type { StockHold } from '../../graphql/generated/types.ts';

export const stockHoldProjection = projection<StockHold>()(stockHold, { status: (row) => enumValue(row.status) });
