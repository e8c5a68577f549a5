import { z } from 'zod';
import { MAX_NAME_LENGTH, name, text, translations, MAX_URL_LENGTH } from '../field-input.ts';

export const pageMetadataInput = z.object({
  slug: name(),
  pageTitle: text(MAX_NAME_LENGTH).nullish(),
  description: text().nullish(),
  canonicals: z.array(text(MAX_URL_LENGTH)).nullish(),
  disableIndex: z.boolean().nullish(),
  redirectTo: text(MAX_URL_LENGTH).nullish(),
  metadataOverrides: z
    .array(
      z.object({
        language: text(MAX_NAME_LENGTH).nullish(),
        pageTitle: text(MAX_NAME_LENGTH),
        description: text(),
        storefrontId: text(MAX_NAME_LENGTH).nullish(),
        storefrontRegionId: text(MAX_NAME_LENGTH).nullish(),
      }),
    )
    .nullish(),
  translations: translations({
    slug: text(MAX_NAME_LENGTH).nullish(),
    pageTitle: text(MAX_NAME_LENGTH).nullish(),
    description: text().nullish(),
  }).nullish(),
  deleted: z.boolean().nullish(),
});

export type PageMetadataInput = z.infer<typeof pageMetadataInput>;
