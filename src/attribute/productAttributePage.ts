import { pageOperation } from '../db/read/record-list.ts';
import { attributeList } from './attribute.ts';

export const productAttributePage = pageOperation(attributeList);
