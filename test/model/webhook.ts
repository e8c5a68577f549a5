import { refusedWith, type State, type Verdict } from './state.ts';

const SCOPES = /^store\/(customer\/(created|updated)|product\/(created|updated|deleted)|stock\/(created|updated))$/;

/** One webhook for each scope: saving it again changes its endpoint and keeps its id. */
export function saveWebhooks(state: State, scopes: readonly string[], endpoint: string): Verdict {
  return (
    refused(scopes) ?? {
      settle: (newId) => {
        const saved = [...new Set(scopes)].map((scope) => {
          const stored = state.webhooks.find((one) => one.scope === scope);
          return { id: stored?.id ?? newId(scope), scope, endpoint };
        });
        return { ...state, webhooks: [...without(state, scopes), ...saved] };
      },
    }
  );
}

/** Scopes that have no webhook count as deleted. */
export function deleteWebhooks(state: State, scopes: readonly string[]): Verdict {
  return refused(scopes) ?? { settle: () => ({ ...state, webhooks: without(state, scopes) }) };
}

function refused(scopes: readonly string[]): Verdict | null {
  return refusedWith(scopes.some((scope) => !SCOPES.test(scope)) && 'INVALID_SCOPE');
}

function without({ webhooks }: State, scopes: readonly string[]): State['webhooks'] {
  return webhooks.filter(({ scope }) => !scopes.includes(scope));
}
