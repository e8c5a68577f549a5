import { pageOperation } from '../db/read/record-list.ts';
import { variantTypeList } from './variant-type.ts';

export const variantTypePage = pageOperation(variantTypeList);
