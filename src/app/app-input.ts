import { z } from 'zod';
import { id, list, name, text } from '../field-input.ts';
import { isEmailAddress } from '../values/email-address.ts';
import { appScopes } from '../app-scope.ts';

const MAX_EMAIL_LENGTH = 320;
const MAX_FOREIGN_ID_LENGTH = 255;

export const appInput = z.object({
  name: name(),
  scopes: list(z.enum(appScopes, `must be one of ${appScopes.join(', ')}`)).min(1, 'must name at least one scope'),
  email: text(MAX_EMAIL_LENGTH).refine(isEmailAddress, 'must be an e-mail address').nullish(),
  partnerId: text(MAX_FOREIGN_ID_LENGTH).nullish(),
  storeAppId: text(MAX_FOREIGN_ID_LENGTH).nullish(),
  salesChannelId: id().nullish(),
  supportsMultipleInstallation: z.boolean().nullish(),
});

export type AppInput = z.input<typeof appInput>;
