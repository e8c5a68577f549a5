import { productTag } from '../../drizzle/tag.ts';
import { projection } from '../db/read/projection.ts';
import type { ProductTag } from '../graphql/generated/types.ts';

export const tagProjection = projection<ProductTag>()(productTag, {});
