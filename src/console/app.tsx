import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Apps } from './apps.tsx';
import { BulkOperations } from './bulk-operations.tsx';
import { ME } from './documents.ts';
import { SearchPage, type View, VIEWS } from './search/search-page.tsx';
import { endSession, session } from './session.ts';
import { useSignal } from './signal.ts';
import { useQuery } from './use-query.ts';
import { Webhooks } from './webhooks.tsx';

const PAGES = {
  search: 'Find',
  history: 'History',
  stock: 'Stock',
  webhooks: 'Webhooks',
  bulk: 'Bulk operations',
  apps: 'Apps and tokens',
} as const;

type PageName = keyof typeof PAGES;
type Place = { page: PageName; text: string };
type Me = {
  me: { name: string } | null;
  getMerchant: { storeName: string | null; merchantName: string | null } | null;
};

/** Reads the page and its text from the address: `#/webhooks`, `#/search/<text>`. */
function placeOf(hash: string): Place {
  const [, name = '', ...rest] = hash.split('/');
  const page = Object.hasOwn(PAGES, name) ? (name as PageName) : 'search';
  try {
    return { page, text: decodeURIComponent(rest.join('/')) };
  } catch {
    return { page, text: '' };
  }
}

export function App({ signInProblem }: { signInProblem: string | null }) {
  return useSignal(session) ? <Console /> : <SignedOut problem={signInProblem} />;
}

function Console() {
  const place = usePlace();
  const main = useRef<HTMLElement>(null);
  const { data } = useQuery<Me>({ query: ME, variables: {} });
  const store = data?.getMerchant?.storeName ?? data?.getMerchant?.merchantName ?? '';
  useEffect(() => void (document.title = `${PAGES[place.page]} – Console`), [place.page]);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        Skip to the content
      </a>
      <header class="top">
        <p class="brand">
          Console <span class="store">{store}</span>
        </p>
        <nav aria-label="Pages">
          {Object.entries(PAGES).map(([name, title]) => (
            <a key={name} href={`#/${name}`} aria-current={place.page === name ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <button type="button" class="quiet" onClick={endSession}>
          Sign out
        </button>
      </header>
      <main id="main" tabIndex={-1} ref={main}>
        {isView(place.page) && <SearchPage key={place.text} view={place.page} text={place.text} />}
        {place.page === 'webhooks' && <Webhooks />}
        {place.page === 'bulk' && <BulkOperations />}
        {place.page === 'apps' && <Apps />}
      </main>
    </>
  );
}

function isView(page: PageName): page is View {
  return Object.hasOwn(VIEWS, page);
}

function usePlace(): Place {
  const [place, setPlace] = useState(placeOf(location.hash));
  // An effect of the next frame would miss an address that changes before it.
  useLayoutEffect(() => {
    const follow = () => setPlace(placeOf(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return place;
}

function SignedOut({ problem }: { problem: string | null }) {
  return (
    <main class="signed-out">
      <h1>Console</h1>
      {problem !== null && (
        <p role="alert" class="problem">
          {problem}
        </p>
      )}
      <p>You are not signed in. Print a link on the machine of the service, and open it within five minutes:</p>
      <pre>npm run -s admin -- console</pre>
      <p>It works once. The sign-in lasts four hours at most, in this tab and its duplicates.</p>
    </main>
  );
}
