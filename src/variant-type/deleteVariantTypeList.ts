import { variantType } from '../../drizzle/variant-type.ts';
import { deleteOperation } from '../db/write/delete.ts';

export const deleteVariantTypeList = deleteOperation(variantType, 'ProductVariantType');
