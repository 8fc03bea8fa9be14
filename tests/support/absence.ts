import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Gives what must not happen the time in which it would happen. A condition can wait for an event, not for its absence.
 * On a busy machine the test proves less, and does not fail.
 */
export const timeToHappen = (ms: number): Promise<void> => sleep(ms)
