import { sql } from 'drizzle-orm';
import { erasure } from '../../../drizzle/erasure.ts';
import { wholeDocument } from '../../db/read/fields.ts';
import { projection } from '../../db/read/projection.ts';
import type { Erasure, ErasureItem } from '../../graphql/generated/types.ts';

export const erasureProjection = projection<Erasure>()(erasure, {
  items: (row, scope) => wholeDocument<ErasureItem[]>(scope, sql`${row.items}`),
});
