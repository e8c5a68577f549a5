import { category } from '../../drizzle/category.ts';
import { deleteOperation } from '../db/write/delete.ts';

export const deleteCategoryList = deleteOperation(category, 'Category');
