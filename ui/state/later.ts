import { type Component, lazy } from 'solid-js'

/** Loads parts of the window that a start does not wait for: editors, consoles, sheets. */
const parts = new Set<() => Promise<unknown>>()

/** Adds code that is loaded behind the first frame. */
export function loadLater(load: () => Promise<unknown>): void {
	parts.add(load)
}

/**
 * Returns a component whose code is a file apart, which is loaded behind the first frame or when it is first shown. Until
 * then it shows nothing.
 */
export function later<P extends object>(load: () => Promise<Component<P>>): Component<P> {
	const part = lazy(async () => ({ default: await load() }))
	loadLater(part.preload)
	return part
}

/** Loads all parts, so that no click waits for one. One that cannot be loaded fails where it is shown. */
export async function loadRest(): Promise<void> {
	// Parts that are loaded add the ones that they contain.
	for (const load of parts) await load().catch(() => undefined)
}
