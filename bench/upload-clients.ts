import { randomBytes } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { withJpegSegment } from '../test/image/pictures.ts';

const JPEG_COMMENT = 0xfe;

export type UploadPlan = {
  url: string;
  token: string;
  variantIds: string[];
  picture: Uint8Array;
  uploads: number;
  clients: number;
};
export type Uploaded = { statuses: Record<string, number>; times: number[] };

const plan = workerData as UploadPlan;
const uploaded: Uploaded = { statuses: {}, times: [] };
let next = 0;
await Promise.all(
  Array.from({ length: plan.clients }, async () => {
    for (let index = next++; index < plan.uploads; index = next++) {
      const start = performance.now();
      const status = await upload(plan.variantIds[index % plan.variantIds.length]!);
      uploaded.times.push(performance.now() - start);
      uploaded.statuses[status] = (uploaded.statuses[status] ?? 0) + 1;
    }
  }),
);
parentPort!.postMessage(uploaded);

/** Each file is different. */
async function upload(variantId: string): Promise<string> {
  const form = new FormData();
  form.append('input', JSON.stringify({ productImage: { variantIds: [variantId], order: 0, isMain: true } }));
  form.append(
    'file',
    new Blob([new Uint8Array(withJpegSegment(Buffer.from(plan.picture), JPEG_COMMENT, randomBytes(16)))]),
  );
  const headers = { authorization: `Bearer ${plan.token}` };
  const response = await fetch(`${plan.url}/api/v1/admin/product/upload/image`, {
    method: 'POST',
    headers,
    body: form,
  }).catch((error: Error) => error);
  if (response instanceof Error) return response.message;
  await response.arrayBuffer();
  return String(response.status);
}
