import { Command, Option } from 'commander';
import type { IssuedToken } from '../app/credentials/issue-token.ts';
import type { AppScope } from '../app-scope.ts';
import { JSON_OPTION, parseScopes } from './command-line/options.ts';
import { printRaw } from './command-line/output.ts';
import { printRecord } from './command-line/table.ts';
import { withDatabase, type OpenDatabase } from './database/with-database.ts';

type Options = {
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  scopes?: AppScope[];
  raw?: true;
  json?: true;
};

export function token(): Command {
  return new Command('token')
    .description('issue an access token: for an app by its credentials, without them for the demo app')
    .addOption(new Option('--client-id <id>', 'client id of the app').env('CLIENT_ID'))
    .addOption(
      new Option(
        '--client-secret <secret>',
        'client secret of the app; best in the environment, since arguments are seen by all users',
      ).env('CLIENT_SECRET'),
    )
    .option('--scopes <names>', 'the part of its scopes that the token gets, separated by commas', parseScopes)
    .option('--raw', 'print the token alone')
    .option(...JSON_OPTION)
    .action(async (given: Options, command: Command) => {
      const options = { ...given, ...credentials(given, command) };
      const issued = await withDatabase((database) => issue(database, options));
      if (options.raw) printRaw(issued.accessToken);
      else printRecord(answer(issued), options);
    });
}

/** One variable alone, such as the secret of a receiver in the same terminal, does not name an app. */
function credentials(
  { clientId, clientSecret }: Options,
  command: Command,
): Pick<Options, 'clientId' | 'clientSecret'> {
  // Docker Compose and shells pass unset variables as empty strings.
  if (clientId && clientSecret) return { clientId, clientSecret };
  const isNamed = ['clientId', 'clientSecret'].some((name) => command.getOptionValueSource(name) === 'cli');
  if (isNamed)
    command.error('error: an app needs --client-id and --client-secret, or CLIENT_ID and CLIENT_SECRET, both of them');
  return { clientId: undefined, clientSecret: undefined };
}

async function issue(database: OpenDatabase, { clientId, clientSecret, scopes }: Options): Promise<IssuedToken> {
  const { CommandError } = await import('../process/command-error.ts');
  const { ownCommand } = await import('../installation/own-command.ts');
  const { issueToken } = await import('../app/credentials/issue-token.ts');
  const { issueDemoToken } = await import('../demo/issue-demo-token.ts');
  const scope = scopes?.join(' ');
  if (clientId !== undefined && clientSecret !== undefined)
    return await issueToken(database, { clientId, clientSecret, scope });
  const issued = await issueDemoToken(database, { scope });
  if (issued) return issued;
  throw new CommandError(
    `There is no demo app here: create it (${ownCommand('demo')}), or create an app (${ownCommand('app create')}) ` +
      'and name it by CLIENT_ID and CLIENT_SECRET.',
  );
}

/** The same members as the response of the token endpoint. */
function answer({ accessToken, expiresInS, scopes }: IssuedToken) {
  return { access_token: accessToken, token_type: 'Bearer', expires_in: expiresInS, scope: scopes.join(',') };
}
