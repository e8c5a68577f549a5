import { describe, expect, it } from 'vitest';
import { serviceAddress } from '../../src/cli/command-line/service-address.ts';

describe('the address of the service in links', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:4000'],
    ['192.168.1.5', 'http://192.168.1.5:4000'],
    ['::1', 'http://[::1]:4000'],
    ['0.0.0.0', 'http://localhost:4000'],
    ['::', 'http://localhost:4000'],
  ])('is the address on which it listens: %s', (host, url) => {
    expect(serviceAddress({ publicUrl: undefined, host, port: 4_000 })).toBe(url);
  });

  it('is PUBLIC_URL if it is set', () => {
    expect(serviceAddress({ publicUrl: 'https://shop.example', host: '::', port: 4_000 })).toBe('https://shop.example');
  });
});
