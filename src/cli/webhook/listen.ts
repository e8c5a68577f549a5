import { Command, InvalidArgumentError, Option } from 'commander';
import { JSON_OPTION } from '../command-line/options.ts';
import { printMessage } from '../command-line/output.ts';
import { ownAddress, parseAddress } from '../command-line/service-address.ts';
import { terminalColumns, wrapText } from '../command-line/wrap-text.ts';
import { isLoopbackHost } from './listen/loopback.ts';

const INDENT = '  ';

type Options = {
  forwardTo: string;
  scopes?: string[];
  url?: string;
  clientId?: string;
  clientSecret?: string;
  json?: true;
};

export function webhookListen(): Command {
  return new Command('listen')
    .description("send an app's events to a receiver on this machine, until interrupted; no webhook is registered")
    .requiredOption('--forward-to <url>', 'the receiver, such as http://127.0.0.1:3000/webhooks')
    .option(
      '--scopes <scopes>',
      'kinds of events, separated by commas; without it all that the app may read',
      parseList,
    )
    .option('--url <address>', 'address of the service; without it PUBLIC_URL, or this machine', parseAddress)
    .addOption(new Option('--client-id <id>', 'client id of the app').env('CLIENT_ID'))
    .addOption(new Option('--client-secret <secret>', 'client secret of the app').env('CLIENT_SECRET'))
    .option(...JSON_OPTION)
    .action(async (options: Options, command: Command) => {
      const { clientId, clientSecret } = options;
      // Docker Compose and shells pass unset variables as empty strings.
      if (!clientId || !clientSecret)
        command.error('error: name the app with CLIENT_ID and CLIENT_SECRET, or --client-id and --client-secret');
      const problem = await problemOf(options.forwardTo);
      if (problem !== null) command.error(`error: option '--forward-to <url>' ${problem}`);
      await listen(options, { clientId, clientSecret });
    });
}

/** Why nothing is sent to an address: the rules of webhooks, and no other machine gets events. */
async function problemOf(endpoint: string): Promise<string | null> {
  const { checkEndpoint } = await import('../../outbound/endpoint.ts');
  const problem = checkEndpoint(endpoint, { allowHttp: true, allowPrivate: true });
  if (problem !== null) return problem;
  if (isLoopbackHost(new URL(endpoint).hostname)) return null;
  return 'must be an address of this machine: 127.0.0.1, [::1] or localhost. Other receivers need a webhook (saveWebhook)';
}

async function listen(options: Options, app: { clientId: string; clientSecret: string }): Promise<void> {
  const { ServiceClient } = await import('./listen/service-client.ts');
  const { readableScopes } = await import('./listen/readable-scopes.ts');
  const { newEvents } = await import('./listen/new-events.ts');
  const { Forwarder } = await import('./listen/forwarder.ts');
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  const { signal } = interrupted;
  const forwarder = new Forwarder({ endpoint: options.forwardTo, clientSecret: app.clientSecret, signal });
  const client = new ServiceClient({ url: options.url ?? (await ownAddress()), ...app, signal });
  try {
    const granted = await client.signIn();
    const scopes = options.scopes ?? readableScopes(granted);
    for await (const event of newEvents(client, scopes, signal, {
      onReady: () => announce(scopes, options.forwardTo),
    }))
      await forwarder.forward(event, options);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    forwarder.close();
    client.close();
  }
}

function announce(scopes: readonly string[], endpoint: string): void {
  const text = `Sending to ${endpoint}, each event once: ${scopes.join(', ')}.`;
  printMessage([...wrapText(text, terminalColumns(), INDENT), 'End with Ctrl-C.'].join('\n'));
}

function parseList(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('It must be a list such as store/product/created.');
  return names;
}
