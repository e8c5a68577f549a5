import { productAttribute } from '../../drizzle/attribute.ts';
import { deleteOperation } from '../db/write/delete.ts';

export const deleteProductAttributeList = deleteOperation(productAttribute, 'ProductAttribute');
