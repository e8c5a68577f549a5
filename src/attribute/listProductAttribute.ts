import { listOperation } from '../db/read/record-list.ts';
import { attributeList } from './attribute.ts';

export const listProductAttribute = listOperation(attributeList);
