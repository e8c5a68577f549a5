import { useState } from 'preact/hooks';
import { BULK_OPERATIONS } from './documents.ts';
import { CopyBar, Progress, ReloadButton, Status, Time } from './parts.tsx';
import { useQuery, useRefresh } from './use-query.ts';

/** Errors that are shown of one operation. The request that the page copies returns all. */
const MAX_ERRORS = 50;

type BulkOperation = {
  id: string;
  status: string;
  revertsChangeSetId: string | null;
  total: number;
  created: number;
  updated: number;
  deleted: number;
  imagesTotal: number;
  imagesPending: number;
  imagesFailed: number;
  createdAt: number;
  errors: { path: string; message: string }[];
};
type Data = { listBulkOperation: { hasNext: boolean; endCursor: string | null; data: BulkOperation[] } };

/** The latest bulk requests and reverts. While one of them runs, the list is read again. */
export function BulkOperations() {
  const [after, setAfter] = useState<string | null>(null);
  const call = { query: BULK_OPERATIONS, variables: { after } };
  const { data, reload, ...progress } = useQuery<Data>(call);
  const page = data?.listBulkOperation;
  const isRunning = page?.data.some(({ status }) => status === 'RUNNING') ?? false;
  useRefresh(isRunning, reload);
  return (
    <>
      <h1>Bulk operations</h1>
      <CopyBar call={call}>
        <ReloadButton reload={reload} />
      </CopyBar>
      <Progress {...progress} />
      {page?.data.length === 0 && <p>There is no bulk operation.</p>}
      <ul class="plain">
        {page?.data.map((operation) => (
          <Operation key={operation.id} operation={operation} />
        ))}
      </ul>
      <p class="actions">
        {after !== null && (
          <button type="button" onClick={() => setAfter(null)}>
            Newest
          </button>
        )}
        {page?.hasNext && (
          <button type="button" onClick={() => setAfter(page.endCursor)}>
            Older
          </button>
        )}
      </p>
    </>
  );
}

function Operation({ operation }: { operation: BulkOperation }) {
  const { id, status, imagesTotal, imagesPending, imagesFailed, errors } = operation;
  return (
    <li class="card">
      <h2 class="line">
        <Time at={operation.createdAt} /> <Status code={status} />
      </h2>
      <p>{countsText(operation)}</p>
      {imagesTotal > 0 && (
        <p>
          <label>
            Images: {imagesTotal - imagesPending} of {imagesTotal} done, {imagesFailed} failed.{' '}
            <progress max={imagesTotal} value={imagesTotal - imagesPending} />
          </label>
        </p>
      )}
      {errors.length > 0 && (
        <details>
          <summary>{errors.length} errors</summary>
          <dl>
            {errors.slice(0, MAX_ERRORS).map(({ path, message }) => (
              <div key={path}>
                <dt class="wrap">{path}</dt>
                <dd class="wrap">{message}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      <p class="muted">
        <code class="id">{id}</code>
      </p>
    </li>
  );
}

function countsText({ revertsChangeSetId, total, created, updated, deleted }: BulkOperation): string {
  if (revertsChangeSetId !== null) return `Records: ${updated} of ${total} taken back.`;
  return `Products: ${total} sent, ${created} created, ${updated} updated, ${deleted} deleted.`;
}
