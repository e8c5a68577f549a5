import { pageOperation } from '../db/read/record-list.ts';
import { tagProjection } from './tag.ts';

export const productTagPage = pageOperation({ projection: tagProjection });
