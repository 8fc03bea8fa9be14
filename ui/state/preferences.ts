import type { Preferences } from '../../host/api/api.ts'
import type { HostConnection } from '../api/client.ts'

type Value = Preferences[string]

/** The user's layout of the window, stored by the host: read once, written soon after each change. */
export interface PreferenceStore {
	get(key: string): Value | undefined
	set(key: string, value: Value): void
}

/** Dragging a column changes its width many times a second. */
const debounceMs = 300

export async function loadPreferences(host: HostConnection): Promise<PreferenceStore> {
	// A window without its layout is better than none.
	const read = await host.call('preferences.read', {}).catch(() => ({}))
	const values = new Map<string, Value>(Object.entries(read))
	const waiting = new Map<string, ReturnType<typeof setTimeout>>()
	function write(key: string): void {
		clearTimeout(waiting.get(key))
		waiting.delete(key)
		const value = values.get(key)
		// A preference that cannot be written is not worth a message.
		if (value !== undefined) host.call('preferences.write', { key, value }).catch(() => {})
	}
	const flush = () => [...waiting.keys()].forEach(write)
	// A user may set a width and close the window at once. A busy browser drops what is sent while the page is hidden.
	addEventListener('beforeunload', flush)
	addEventListener('pagehide', flush)
	return {
		get: key => values.get(key),
		set: (key, value) => {
			if (JSON.stringify(values.get(key)) === JSON.stringify(value)) return
			values.set(key, value)
			clearTimeout(waiting.get(key))
			waiting.set(key, setTimeout(write, debounceMs, key))
		},
	}
}
