import { pageOperation } from '../db/read/record-list.ts';
import { brandProjection } from './brand.ts';

export const productBrandPage = pageOperation({ projection: brandProjection });
