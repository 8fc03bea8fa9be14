import { isFresh } from './fresh.mjs'

// The launcher's first step in a checkout (host/bin/roundhouse.mjs).
if (!isFresh()) {
	const { ensureBuilt } = await import('./build.ts')
	await ensureBuilt()
}
