import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { checkKey, checkPrefix } from './storage-key.ts';
import type { ImageStorage, StoredObject } from './storage.ts';

const CONNECT_TIMEOUT_MS = 3_000;
const ATTEMPTS = 3;
const DEFAULT_TIMEOUTS = {
  /** Until the response to one attempt begins. A write has the time of the operation: it sends up to 160 MB first. */
  responseMs: 20_000,
  /** All attempts of an operation, with the bodies of request and response. */
  operationMs: 60_000,
};

type Timeouts = typeof DEFAULT_TIMEOUTS;

/** Stores objects in a bucket, below the path of the URL. The SDK finds the credentials by its default chain. */
export function openS3Storage(url: URL, timeouts: Timeouts = DEFAULT_TIMEOUTS): ImageStorage {
  const client = openClient(url, timeouts);
  const limit = () => ({ abortSignal: AbortSignal.timeout(timeouts.operationMs) });
  const Bucket = url.hostname;
  const root = url.pathname.replace(/^\/+|\/+$/g, '').replace(/.$/, '$&/');
  const nameOf = (key: string) => ({ Bucket, Key: root + checkKey(key) });

  return {
    async write(key, bytes, contentType) {
      const command = new PutObjectCommand({ ...nameOf(key), Body: bytes, ContentType: contentType });
      await client.send(command, { ...limit(), requestTimeout: timeouts.operationMs });
    },
    async read(key) {
      const object = await client.send(new GetObjectCommand(nameOf(key)), limit()).catch(nullWhenAbsent);
      return object ? Buffer.from(await object.Body!.transformToByteArray()) : null;
    },
    async open(key) {
      const object = await client.send(new GetObjectCommand(nameOf(key)), limit()).catch(nullWhenAbsent);
      return object && { size: object.ContentLength!, stream: object.Body as Readable };
    },
    async exists(key) {
      return (await client.send(new HeadObjectCommand(nameOf(key)), limit()).catch(nullWhenAbsent)) !== null;
    },
    async delete(key) {
      await client.send(new DeleteObjectCommand(nameOf(key)), limit());
    },
    list(prefix) {
      checkPrefix(prefix);
      const readPage = (ContinuationToken?: string) =>
        client.send(new ListObjectsV2Command({ Bucket, Prefix: root + prefix, ContinuationToken }), limit());
      return listBucket(readPage, root);
    },
    close() {
      client.destroy();
    },
  };
}

function openClient({ searchParams }: URL, { responseMs }: Timeouts): S3Client {
  return new S3Client({
    region: searchParams.get('region') ?? undefined,
    endpoint: searchParams.get('endpoint') ?? undefined,
    forcePathStyle: searchParams.get('forcePathStyle') === 'true',
    maxAttempts: ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: responseMs,
      throwOnRequestTimeout: true,
      // A slow reader of a picture occupies a connection. With a maximum, fifty of them would delay all others.
      httpAgent: { maxSockets: Infinity },
      httpsAgent: { maxSockets: Infinity },
    },
    // A server that ignores `Expect: 100-continue` would let every write wait for the timeout.
    expectContinueHeader: false,
    // Not every S3-compatible server understands the optional checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

async function* listBucket(
  readPage: (token?: string) => Promise<ListObjectsV2CommandOutput>,
  root: string,
): AsyncGenerator<StoredObject> {
  let ContinuationToken: string | undefined;
  do {
    const page = await readPage(ContinuationToken);
    for (const { Key, Size, LastModified } of page.Contents ?? []) {
      yield { key: Key!.slice(root.length), size: Size!, modifiedAt: LastModified! };
    }
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
}

// A HEAD response has no body with a code, so its status decides. A missing bucket is an error, not a missing object.
function nullWhenAbsent(error: unknown): null {
  if (error instanceof S3ServiceException && (error.name === 'NoSuchKey' || error.name === 'NotFound')) {
    return null;
  }
  throw error;
}
