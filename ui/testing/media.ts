import type {} from '@vitest/browser-playwright'
import { expect, onTestFinished } from 'vitest'
import { cdp } from 'vitest/browser'

const emulate = (preferences: Readonly<Record<string, string>>) =>
	cdp().send('Emulation.setEmulatedMedia', {
		features: Object.entries(preferences).map(([name, value]) => ({ name, value })),
	})

/** Emulates preferences of the user's system, for example `{ 'forced-colors': 'active' }`, until the test ends. */
export async function emulateMedia(preferences: Readonly<Record<string, string>>): Promise<void> {
	// A hook of this module would be one of the first file alone: all files share the module.
	onTestFinished(async () => {
		await emulate({})
	})
	await emulate(preferences)
	// The page hears of them a moment later, and its colours follow.
	await expect
		.poll(() => Object.entries(preferences).every(([name, value]) => matchMedia(`(${name}: ${value})`).matches))
		.toBe(true)
	await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
}
