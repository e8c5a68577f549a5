import { describe, expect, it } from 'vitest';
import { changeRecordTypeEnum } from '../../drizzle/generated/enums.ts';
import { writeScopeOf } from '../../src/change/change-record-type.ts';
import { revertScopeOf } from '../../src/console/history/revertable.ts';

describe('the scope that the console asks for before it takes changes back', () => {
  it.each(changeRecordTypeEnum)('of %s is the one that the service needs, or none if it refuses them', (recordType) => {
    const isRefused = recordType === 'WEBHOOK' || recordType === 'AUTHORIZED_APP';
    expect(revertScopeOf(recordType)).toBe(isRefused ? null : writeScopeOf(recordType));
  });
});
