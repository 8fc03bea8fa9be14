import type { Preferences } from '../../host/ui-server/api.ts'
import type { HostConnection } from '../api/client.ts'

type Value = Preferences[string]

/** How the person set up the window, kept by the host: read once, written soon after each change. */
export interface PreferenceStore {
	get(key: string): Value | undefined
	set(key: string, value: Value): void
}

/** A column that is dragged changes many times a second. */
const restMs = 300

export async function loadPreferences(host: HostConnection): Promise<PreferenceStore> {
	// A window without its layout is better than none.
	const read = await host.call('preferences.read', {}).catch(() => ({}))
	const values = new Map<string, Value>(Object.entries(read))
	const waiting = new Map<string, ReturnType<typeof setTimeout>>()
	function write(key: string): void {
		clearTimeout(waiting.get(key))
		waiting.delete(key)
		const value = values.get(key)
		// A preference that cannot be written is not worth a word to the person.
		if (value !== undefined) host.call('preferences.write', { key, value }).catch(() => {})
	}
	// Whoever sets a width and closes the window at once means it all the same; a busy browser may still drop it.
	addEventListener('pagehide', () => [...waiting.keys()].forEach(write))
	return {
		get: key => values.get(key),
		set: (key, value) => {
			if (JSON.stringify(values.get(key)) === JSON.stringify(value)) return
			values.set(key, value)
			clearTimeout(waiting.get(key))
			waiting.set(key, setTimeout(write, restMs, key))
		},
	}
}
