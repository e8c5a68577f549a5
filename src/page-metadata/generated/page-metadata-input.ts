// Written by `npm run codegen` from schema/page-metadata.graphql. Do not edit.
import { z } from 'zod';
import { distinct, list, name, notNull, text } from '../../field-input.ts';

export const htmlMetaDataOverrideInput = z.object({
  language: text(255).nullable().default(null),
  pageTitle: text(255),
  description: text(),
  storefrontId: text(255).nullable().default(null),
  storefrontRegionId: text(255).nullable().default(null),
});
export type HTMLMetaDataOverrideInput = z.output<typeof htmlMetaDataOverrideInput>;

export const htmlMetaDataTranslationInput = z.object({
  locale: name(35),
  slug: text(255).nullable().default(null),
  pageTitle: text(255).nullable().default(null),
  description: text().nullable().default(null),
});
export type HTMLMetaDataTranslationInput = z.output<typeof htmlMetaDataTranslationInput>;

export const htmlMetaDataInput = z.object({
  slug: name(255),
  pageTitle: text(255).nullish(),
  description: text().nullish(),
  canonicals: list(text(2048), 1000).nullish(),
  disableIndex: z.boolean().nullish(),
  redirectTo: text(2048).nullish(),
  metadataOverrides: list(htmlMetaDataOverrideInput, 1000).nullish(),
  translations: list(htmlMetaDataTranslationInput, 1000).superRefine(distinct('locale')).nullish(),
  deleted: z.boolean().nullish(),
});
export type HTMLMetaDataInput = z.output<typeof htmlMetaDataInput>;

export const htmlMetaDataPatchInput = z.object({
  slug: notNull(name(255)),
  pageTitle: text(255).nullish(),
  description: text().nullish(),
  canonicals: list(text(2048), 1000).nullish(),
  disableIndex: z.boolean().nullish(),
  redirectTo: text(2048).nullish(),
  metadataOverrides: list(htmlMetaDataOverrideInput, 1000).nullish(),
  translations: list(htmlMetaDataTranslationInput, 1000).superRefine(distinct('locale')).nullish(),
  deleted: z.boolean().nullish(),
});
export type HTMLMetaDataPatchInput = z.output<typeof htmlMetaDataPatchInput>;
