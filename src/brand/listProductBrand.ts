import { listOperation } from '../db/read/record-list.ts';
import { brandProjection } from './brand.ts';

export const listProductBrand = listOperation({ projection: brandProjection });
