import { pageOperation } from '../db/read/record-list.ts';
import { categoryList } from './category-list.ts';

export const categoryPage = pageOperation(categoryList);
