import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/**
 * Makes all TLS connections of the process trust the certificates in the file of NODE_EXTRA_CA_CERTS, or adds to `mistakes`.
 * Node trusts them itself only if the variable is set when it starts, and not if `.env` sets it.
 */
export function trustExtraCertificates(path: string | undefined, mistakes: string[]): void {
  if (path === undefined || getCACertificates('extra').length > 0) return;
  const text = readText(path);
  // Node accepts any text.
  if (text?.includes('-----BEGIN CERTIFICATE-----')) setDefaultCACertificates([...getCACertificates('default'), text]);
  else mistakes.push(`NODE_EXTRA_CA_CERTS names a file without certificates that can be read: ${path}`);
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
