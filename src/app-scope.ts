/** Scope names as tokens and apps carry them. `write_x` includes `read_x`. */
export const appScopes = [
  'read_products',
  'write_products',
  'read_customers',
  'write_customers',
  'read_inventories',
  'write_inventories',
  'read_orders',
  'write_orders',
  'read_campaigns',
  'write_campaigns',
  'read_webhooks',
  'write_webhooks',
  'read_apps',
  'write_apps',
] as const;

export type AppScope = (typeof appScopes)[number];

export function isAppScope(name: string): name is AppScope {
  return (appScopes as readonly string[]).includes(name);
}

export function scopeIsGranted(granted: ReadonlySet<AppScope>, required: AppScope): boolean {
  if (granted.has(required)) return true;
  return required.startsWith('read_') && granted.has(required.replace('read_', 'write_') as AppScope);
}

/** The scopes of which an app needs one to be granted `required`. */
export function grantingScopes(required: AppScope): AppScope[] {
  return appScopes.filter((scope) => scopeIsGranted(new Set([scope]), required));
}
