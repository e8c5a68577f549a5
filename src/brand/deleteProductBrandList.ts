import { productBrand } from '../../drizzle/brand.ts';
import { deleteOperation } from '../db/write/delete.ts';

export const deleteProductBrandList = deleteOperation(productBrand, 'ProductBrand');
