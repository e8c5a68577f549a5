import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const SECRET_KEY_BYTES = 32;
const OWNER_ONLY = 0o600;

/** The default key with the embedded database: generated once and stored in DATA_DIR. */
export async function storedSecretKey(dataDir: string): Promise<KeyObject> {
  const path = join(dataDir, 'secret-key');
  const stored = await readFile(path, 'utf8').catch(() => null);
  const text = stored ?? (await storeNewKey(path));
  const bytes = Buffer.from(text.trim(), 'hex');
  if (bytes.length !== SECRET_KEY_BYTES) throw new Error(`${path} holds no key of ${SECRET_KEY_BYTES} bytes in hex.`);
  return createSecretKey(bytes);
}

/** Linked after it is written: of two processes that start at once, both read the first one's complete key. */
async function storeNewKey(path: string): Promise<string> {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${randomBytes(SECRET_KEY_BYTES).toString('hex')}\n`, { mode: OWNER_ONLY });
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return await readFile(path, 'utf8');
}
