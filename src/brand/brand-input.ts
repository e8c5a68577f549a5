import { z } from 'zod';
import { productsOrderTypes } from '../../drizzle/category.ts';
import { id, MAX_NAME_LENGTH, name, nameAndDescription, ownId, text } from '../field-input.ts';
import { pageMetadataInput } from '../page-metadata/page-metadata-input.ts';

export const brandInput = z.object({
  id: ownId(),
  name: name(),
  description: text().nullish(),
  imageId: text(MAX_NAME_LENGTH).nullish(),
  metaData: pageMetadataInput.nullish(),
  orderType: z.enum(productsOrderTypes).nullish(),
  salesChannelIds: z.array(id()).nullish(),
  translations: nameAndDescription().nullish(),
  deleted: z.boolean().nullish(),
});
