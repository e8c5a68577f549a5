import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openLobby } from '../../src/jobs/lobby.ts';
import { openPlaces } from '../../src/jobs/places.ts';
import type { Job } from '../../src/jobs/queue.ts';

/** As many as one endpoint may have at once. */
const PLACES = 128;

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const jobs = (group: string, count: number): Job[] => Array.from({ length: count }, (_, n) => ({ id: `${group}${n}`, merchantId: 'm', group, retryCount: 0 }));
const sizes = ({ held, aside }: { held: Job[]; aside: Job[] }) => [held.length, aside.length];

function lobbyWith(taken: Record<string, number>) {
  const places = openPlaces();
  for (const [group, count] of Object.entries(taken)) for (let n = 0; n < count; n++) places.take(group);
  return { places, lobby: openLobby(places) };
}

it('lets in whom there is a place for, and keeps the rest until places are given back', () => {
  const { places, lobby } = lobbyWith({ busy: 100 });
  lobby.enter([...jobs('busy', 60), ...jobs('idle', 10)]);
  expect(sizes(lobby.leave())).toEqual([10, 0]);
  for (let n = 0; n < 20; n++) places.leave('busy', false);
  expect(sizes(lobby.leave())).toEqual([48, 0]);
  expect(lobby.isEmpty()).toBe(false);
  for (let n = 0; n < 12; n++) places.leave('busy', false);
  expect(sizes(lobby.leave())).toEqual([12, 0]);
  expect(lobby.isEmpty()).toBe(true);
});

it('sends aside who waited in vain, and has nobody wait for that endpoint again before it was idle', () => {
  const { places, lobby } = lobbyWith({ slow: PLACES });
  lobby.enter(jobs('slow', 5));
  expect(sizes(lobby.leave())).toEqual([0, 0]);
  expect(lobby.restMs()).toBeGreaterThan(0);
  vi.advanceTimersByTime(60);
  expect(lobby.restMs()).toBe(0);
  expect(sizes(lobby.leave())).toEqual([0, 5]);
  lobby.enter(jobs('slow', 5));
  expect(sizes(lobby.leave())).toEqual([0, 5]);
  for (let n = 0; n < PLACES; n++) places.leave('slow', false);
  for (let n = 0; n < PLACES; n++) places.take('slow');
  lobby.enter(jobs('slow', 5));
  expect(sizes(lobby.leave())).toEqual([0, 0]);
});

it('gives back who is left when it closes', () => {
  const { lobby } = lobbyWith({ busy: PLACES });
  lobby.enter(jobs('busy', 3));
  lobby.leave();
  expect(lobby.close()).toHaveLength(3);
  expect(lobby.isEmpty()).toBe(true);
});
