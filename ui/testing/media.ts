import type {} from '@vitest/browser-playwright'
import { afterEach } from 'vitest'
import { cdp } from 'vitest/browser'

/** Emulates preferences of the user's system, for example `{ 'forced-colors': 'active' }`, until the test ends. */
export async function emulateMedia(preferences: Readonly<Record<string, string>>): Promise<void> {
	const features = Object.entries(preferences).map(([name, value]) => ({ name, value }))
	await cdp().send('Emulation.setEmulatedMedia', { features })
}

afterEach(() => emulateMedia({}))
