import { type Refusal, type State, unless, type Verdict } from './state.ts';

const SCOPES = /^store\/(customer\/(created|updated)|product\/(created|updated|deleted)|stock\/(created|updated))$/;

/** One webhook for each scope: saving it again changes its endpoint and keeps its id. */
export function saveWebhooks(state: State, scopes: readonly string[], endpoint: string): Verdict {
  return unless([unknown(scopes)], (newId) => {
    const saved = [...new Set(scopes)].map((scope) => {
      const stored = state.webhooks.find((one) => one.scope === scope);
      return { id: stored?.id ?? newId(scope), scope, endpoint };
    });
    return { ...state, webhooks: [...without(state, scopes), ...saved] };
  });
}

/** Scopes that have no webhook count as deleted. */
export function deleteWebhooks(state: State, scopes: readonly string[]): Verdict {
  return unless([unknown(scopes)], () => ({ ...state, webhooks: without(state, scopes) }));
}

function unknown(scopes: readonly string[]): Refusal | false {
  return scopes.some((scope) => !SCOPES.test(scope)) && 'INVALID_SCOPE';
}

function without({ webhooks }: State, scopes: readonly string[]): State['webhooks'] {
  return webhooks.filter(({ scope }) => !scopes.includes(scope));
}
