import { z } from 'zod';
import { NAME_MAX, name, text, translations, URL_MAX } from '../field-input.ts';

export const metaDataInput = z.object({
  slug: name(),
  pageTitle: text(NAME_MAX).nullish(),
  description: text().nullish(),
  canonicals: z.array(text(URL_MAX)).nullish(),
  disableIndex: z.boolean().nullish(),
  redirectTo: text(URL_MAX).nullish(),
  metadataOverrides: z
    .array(
      z.object({
        language: text(NAME_MAX).nullish(),
        pageTitle: text(NAME_MAX),
        description: text(),
        storefrontId: text(NAME_MAX).nullish(),
        storefrontRegionId: text(NAME_MAX).nullish(),
      }),
    )
    .nullish(),
  translations: translations({
    slug: text(NAME_MAX).nullish(),
    pageTitle: text(NAME_MAX).nullish(),
    description: text().nullish(),
  }).nullish(),
  deleted: z.boolean().nullish(),
});

export type MetaDataInput = z.infer<typeof metaDataInput>;
