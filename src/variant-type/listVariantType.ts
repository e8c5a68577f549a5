import { listOperation } from '../db/read/record-list.ts';
import { variantTypeList } from './variant-type.ts';

export const listVariantType = listOperation(variantTypeList);
