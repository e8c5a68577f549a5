import { checkClientSecrets } from '../../app/credentials/check-client-secrets.ts';
import { ownCommand } from '../../installation/own-command.ts';
import { listMerchants } from '../../merchant/list-merchants.ts';
import { keysOf } from '../../values/secret-key.ts';
import { Broken, type Check, messageOf, type Warning } from './check.ts';
import type { Subject } from './subject.ts';

const SET_SECRET_KEY = 'export SECRET_KEY=…   # the key of the running service';
const ADD_FORMER_KEY = 'export SECRET_KEY=KEY,FORMER_KEY   # the key of the running service, and the one before it';
/** Apps that a finding names. */
const MAX_NAMED = 20;

export const clientSecretsCheck: Check = {
  name: 'clientSecrets',
  tried: 'decrypt the secrets of all apps, and former ones during their overlap',
  repair: SET_SECRET_KEY,
  run: clientSecrets,
};

async function clientSecrets(subject: Subject): Promise<string | Warning> {
  const db = await subject.db();
  const { secretKey } = await subject.environment();
  const found = { appCount: 0, outdatedIds: [] as string[], formerLostIds: [] as string[] };
  for (const { merchantId } of await listMerchants({ across: await subject.across() })) {
    const own = await checkClientSecrets({ db, secretKey, merchantId }).catch((error: unknown) => {
      const rotate = ownCommand(`app rotate-secret APP --merchant ${merchantId}`);
      throw new Broken(messageOf(error), `${SET_SECRET_KEY}; if it is lost: ${rotate}`);
    });
    found.appCount += own.appCount;
    found.outdatedIds.push(...own.outdatedIds);
    found.formerLostIds.push(...own.formerLostIds);
  }
  const count = `${found.appCount} open with the SECRET_KEY`;
  if (found.formerLostIds.length > 0) {
    const detail = `${count}, but not the former secrets of these apps, which count as ended: ${named(found.formerLostIds)}`;
    return { detail, repair: ADD_FORMER_KEY };
  }
  if (found.outdatedIds.length > 0) {
    const detail = `${count}, some only with a later key of it: ${named(found.outdatedIds)}`;
    return { detail, repair: ownCommand('app reencrypt') };
  }
  return keysOf(secretKey).length > 1 ? `${count}, all with its first key: the others can be removed` : count;
}

function named(ids: readonly string[]): string {
  return ids.slice(0, MAX_NAMED).join(', ') + (ids.length > MAX_NAMED ? ' …' : '');
}
