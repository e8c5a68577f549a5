// Written by `npm run codegen` from @reference in schema/category.graphql. Do not edit.
import type { Reference } from '../../db/write/references.ts';

export const categoryReferences = {
  CategoryInput: [
    { path: 'parentId', to: 'Category' },
    { path: 'salesChannelIds[]', to: 'SalesChannel' },
    { path: 'salesChannels[].id', to: 'SalesChannel' },
  ],
} satisfies Record<string, readonly Reference[]>;
