import { z } from 'zod';
import { id, name, text } from '../field-input.ts';
import { appScopes } from '../app-scope.ts';

const EMAIL_MAX = 320;
const FOREIGN_ID_MAX = 255;

export const appInput = z.object({
  name: name(),
  scopes: z.array(z.enum(appScopes, `must be one of ${appScopes.join(', ')}`)).min(1, 'must name at least one scope'),
  email: text(EMAIL_MAX).nullish(),
  partnerId: text(FOREIGN_ID_MAX).nullish(),
  storeAppId: text(FOREIGN_ID_MAX).nullish(),
  salesChannelId: id().nullish(),
  supportsMultipleInstallation: z.boolean().nullish(),
});

export type AppInput = z.input<typeof appInput>;
