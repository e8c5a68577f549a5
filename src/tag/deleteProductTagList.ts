import { productTag } from '../../drizzle/tag.ts';
import { deleteOperation } from '../db/write/delete.ts';

export const deleteProductTagList = deleteOperation(productTag, 'ProductTag');
