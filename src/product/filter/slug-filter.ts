import { type SQL, sql } from 'drizzle-orm';
import { pageMetadata } from '../../../drizzle/page-metadata.ts';
import { nullCondition, textFilter } from '../../db/filter/filter.ts';
import { aliased, type SqlScope } from '../../db/read/projection.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
import { type Filter, type ProductRow, rowFilter } from './row-filter.ts';

/** A condition on the slug of the product's public page. A slug is unique, so the pages are read first. */
export function slugFilter(row: ProductRow, scope: SqlScope, filter: Filter): SQL[] {
  const hasPage = (slugFilters: (page: typeof pageMetadata) => SQL[]): SQL => {
    const { row: page, from } = aliased(scope, pageMetadata);
    const own = [ownedBy(scope.tenant, page), sql`${page.targetType} = 'PRODUCT'`];
    const matching = sql.join([...own, ...slugFilters(page)], sql` and `);
    return sql`${row.id} in (select ${page.targetId} from ${from} where ${matching})`;
  };
  return [
    ...nullCondition(sql`not ${hasPage(() => [])}`, filter),
    ...rowFilter(filter, (wanted) => hasPage((page) => textFilter(page.slug, wanted))),
  ];
}
