import { listOperation } from '../db/read/record-list.ts';
import { tagProjection } from './tag.ts';

export const listProductTag = listOperation({ projection: tagProjection });
