import { tlsFailure } from '../../db/errors/connection-lost.ts';
import { hostAndPort } from '../../values/connection-url.ts';
import { argument } from './check.ts';

const UNKNOWN_AUTHORITY = /^(UNABLE_TO_(GET|VERIFY)_|(DEPTH_ZERO_)?SELF_SIGNED_CERT)/;

/** The command that repairs a failed TLS handshake with the server of a URL. Null if the error is another one. */
export function tlsRepair(error: unknown, url: string): string | null {
  const code = tlsFailure(error);
  if (code === null) return null;
  if (UNKNOWN_AUTHORITY.test(code))
    return "export NODE_EXTRA_CA_CERTS=/PATH/OF/AUTHORITY.pem   # the certificates of the server's authority; .env may set it too";
  const [host, port] = hostAndPort(url);
  const show = 'openssl x509 -noout -subject -ext subjectAltName -dates';
  return `openssl s_client -starttls postgres -connect ${argument(`${host}:${port}`)} </dev/null | ${show}   # it must be valid today, and for ${host}`;
}
