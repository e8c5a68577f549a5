// Written by `npm run codegen` from schema/attribute.graphql. Do not edit.
import { z } from 'zod';
import { distinct, id, list, name, ownId, text, trimmed } from '../../field-input.ts';

const productAttributeTypeEnum = z.enum(['BOOLEAN', 'CHOICE', 'COLOR_THUMBNAIL_MULTIPLE_CHOICE', 'DATE', 'DATETIME', 'HTML', 'IMAGE', 'MULTIPLE_CHOICE', 'NUMERIC', 'PRODUCT', 'TABLE', 'TEXT']);

export const productAttributeOptionInput = z.object({
  id: ownId(),
  name: name(255),
  colorCode: text(7).nullish(),
  thumbnailImageId: text(255).nullish(),
  deleted: z.boolean().nullish(),
});
export type ProductAttributeOptionInput = z.output<typeof productAttributeOptionInput>;

export const productAttributeTableCellDataInput = z.object({
  id: text(255),
  name: trimmed(255),
});
export type ProductAttributeTableCellDataInput = z.output<typeof productAttributeTableCellDataInput>;

export const productAttributeTableTemplateInput = z.object({
  columns: list(productAttributeTableCellDataInput, 1000),
  rows: list(productAttributeTableCellDataInput, 1000),
});
export type ProductAttributeTableTemplateInput = z.output<typeof productAttributeTableTemplateInput>;

export const productAttributeOptionTranslationInput = z.object({
  id: id(),
  name: trimmed(255).nullish(),
});
export type ProductAttributeOptionTranslationInput = z.output<typeof productAttributeOptionTranslationInput>;

export const productAttributeTranslationInput = z.object({
  locale: name(35),
  name: trimmed(255).nullish(),
  description: text().nullish(),
  options: list(productAttributeOptionTranslationInput, 1000).superRefine(distinct('id')).nullish(),
});
export type ProductAttributeTranslationInput = z.output<typeof productAttributeTranslationInput>;

export const productAttributeInput = z.object({
  id: ownId(),
  name: name(255),
  type: productAttributeTypeEnum,
  description: text().nullish(),
  options: list(productAttributeOptionInput, 2000).superRefine(distinct('id')).nullish(),
  tableTemplate: productAttributeTableTemplateInput.nullish(),
  translations: list(productAttributeTranslationInput, 1000).superRefine(distinct('locale')).nullish(),
  deleted: z.boolean().nullish(),
});
export type ProductAttributeInput = z.output<typeof productAttributeInput>;
