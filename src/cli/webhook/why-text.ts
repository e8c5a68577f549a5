import type { WebhookExplanation } from '../../graphql/generated/types.ts';
import { oneLine } from '../command-line/table.ts';
import { wrapText } from '../command-line/wrap-text.ts';
import { nextCommand } from './next-command.ts';

const INDENT = '  ';

type Explained = { scope: string; recordId: string; explained: readonly WebhookExplanation[] };
type Shown = { columns: number; merchant: string | undefined };

/**
 * A paragraph for each app: what became of the event in whole sentences, the delivery, and the commands that go on from
 * here. Only commands may be longer than a line, so that they can be copied.
 */
export function explanationsText({ scope, recordId, explained }: Explained, { columns, merchant }: Shown): string {
  if (explained.length === 0) return 'No app of the merchant may read such records.\n';
  return explained
    .map((one) => {
      const { appName, authorizedAppId, code, message, endpoint, deliveryId } = one;
      const commands = nextWords(one, { scope, recordId }).map((words) => `${INDENT}${nextCommand(words, merchant)}`);
      const facts = [
        message,
        ...(endpoint == null ? [] : [`To ${endpoint}`]),
        ...(deliveryId == null ? [] : [`Delivery ${deliveryId}`]),
        `App ${authorizedAppId}`,
      ];
      const lines = [
        ...wrapText(`${oneLine(appName)}  ${code}`, columns, INDENT),
        ...facts.flatMap((fact) => wrapText(INDENT + oneLine(fact), columns, INDENT)),
        ...commands,
      ];
      return `${lines.join('\n')}\n`;
    })
    .join('\n');
}

/** The commands that go on from an explanation, without the name of the program. */
function nextWords(
  { code, webhookId, webhookStatus, deliveryId, authorizedAppId }: WebhookExplanation,
  { scope, recordId }: Pick<Explained, 'scope' | 'recordId'>,
): string[] {
  const resume = webhookStatus === 'PAUSED' ? [`webhook resume ${webhookId}`] : [];
  if (code === 'PAUSED') return resume;
  if (code === 'GIVEN_UP' || (code === 'DELIVERED' && deliveryId != null))
    return [...resume, `webhook redeliver ${deliveryId}`];
  if (code === 'WAITING')
    return [`webhook tail --app ${authorizedAppId} --scope ${scope} --record ${recordId} --follow`];
  if (code === 'UNCHANGED') return [`history ${scope.split('/')[1]} ${recordId}`];
  return [];
}
