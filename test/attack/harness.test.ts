import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';

let service: AttackedService;
beforeAll(async () => {
  service = await startAttackedService();
});
afterAll(() => service.stop());

describe('the second merchant', () => {
  it('gets answers while nobody attacks', async () => {
    const report = await attack(
      'no attack',
      service,
      async () => await service.attacker.send({ query: '{ me { id } }' }),
    );
    expectUnharmed(report);
    expect(report.asked).toBeGreaterThan(3);
  });

  it('notices a blocked process', async () => {
    const report = await attack('a stopped process', service, async () => {
      service.process.child.kill('SIGSTOP');
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      service.process.child.kill('SIGCONT');
    });
    expect(report.longestWaitMs).toBeGreaterThan(1_000);
    expect(() => expectUnharmed(report)).toThrow('to be less than');
  });
});
