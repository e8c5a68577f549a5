import { product } from '../../drizzle/product.ts';
import { deleteOperation } from '../db/write/delete.ts';

export const deleteProductList = deleteOperation(product, 'Product');
