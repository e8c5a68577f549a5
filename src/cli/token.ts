import { Command } from 'commander';
import type { IssuedToken } from '../app/credentials/issue-token.ts';
import type { AppScope } from '../app-scope.ts';
import { JSON_OPTION, parseScopes } from './command-line/options.ts';
import { printRaw } from './command-line/output.ts';
import { printRecord } from './command-line/table.ts';
import { withDatabase, type OpenDatabase } from './database/with-database.ts';

type Options = { clientId?: string; clientSecret?: string; scopes?: AppScope[]; raw?: true; json?: true };

export function token(): Command {
  return new Command('token')
    .description('issue an access token: for an app by its credentials, without them for the demo app')
    .option('--client-id <id>', 'client id of the app')
    .option('--client-secret <secret>', 'client secret of the app')
    .option('--scopes <names>', 'the part of its scopes that the token gets, separated by commas', parseScopes)
    .option('--raw', 'print the token alone')
    .option(...JSON_OPTION)
    .action(async (options: Options, command: Command) => {
      if ((options.clientId === undefined) !== (options.clientSecret === undefined)) {
        command.error('error: --client-id and --client-secret are given together or not at all');
      }
      const issued = await withDatabase((database) => issue(database, options));
      if (options.raw) printRaw(issued.accessToken);
      else printRecord(answer(issued), options);
    });
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
      'and name it by --client-id and --client-secret.',
  );
}

/** The same members as the response of the token endpoint. */
function answer({ accessToken, expiresInS, scopes }: IssuedToken) {
  return { access_token: accessToken, token_type: 'Bearer', expires_in: expiresInS, scope: scopes.join(',') };
}
