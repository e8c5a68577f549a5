import { listOperation } from '../db/read/record-list.ts';
import { categoryList } from './category-list.ts';

export const listCategory = listOperation(categoryList);
