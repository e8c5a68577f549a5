import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { post } from '../support/post.ts';
import { startTestService } from '../support/whole-service.ts';

const SAVE =
  'mutation { saveWebhook(input: { endpoint: "http://127.0.0.1:4711/hook", scopes: ["store/customer/created"] }) { id status } }';

it('logs that a save resumes a paused webhook, once, and not for a dry run', async () => {
  const service = await startTestService({}, 'api', { webhook: { allowHttp: true, allowPrivate: true } });
  try {
    const { token } = await service.createApp();
    const save = async (headers = {}) => {
      const { body } = await post(service.graphqlUrl, { query: SAVE }, { token, headers });
      expect(body.errors).toBeUndefined();
      return (body.data!['saveWebhook'] as { id: string }[])[0]!.id;
    };
    const resumed = () =>
      service.lines
        .map((line) => JSON.parse(line) as { msg: string; webhookId: string; merchantId: string; requestId: string })
        .filter(({ msg }) => msg === 'a webhook was resumed');

    const id = await save();
    await save();
    await service.owner.execute(sql`update webhook set status = 'PAUSED', paused_at = now() where id = ${id}`);
    await save({ 'x-dry-run': 'true' });
    await save({ 'x-dry-run': 'true', 'idempotency-key': 'once' });
    expect(resumed()).toEqual([]);
    await save();
    expect(resumed()).toEqual([
      expect.objectContaining({ merchantId: expect.any(String), webhookId: id, requestId: expect.any(String) }),
    ]);
  } finally {
    await service.stop();
  }
});
