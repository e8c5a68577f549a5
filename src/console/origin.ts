/** The request, command or transaction that a change was a part of. */
export type ChangeSet = {
  id: string;
  operation: string | null;
  actor: string | null;
  app: { id: string; name: string } | null;
  databaseRole: string | null;
  applicationName: string | null;
};

/** Who made a change and how, as in `by saveProduct of ERP for Zoë`. */
export function originText({ operation, actor, app, databaseRole, applicationName }: ChangeSet): string {
  if (databaseRole !== null)
    return `by SQL as ${databaseRole}${applicationName === null ? '' : ` (${applicationName})`}`;
  return `by ${operation ?? 'a request'}${app ? ` of ${app.name}` : ''}${actor === null ? '' : ` for ${actor}`}`;
}
