import { createSignal } from 'solid-js'
import { useRecords } from '../state/host.tsx'

/** A change of hundreds of levels is no work of hands. */
const most = 500

/**
 * The levels of a list that the user has closed or, if they are folders of objects, opened. They are kept for the
 * connection. A search opens all.
 */
export function createToggledLevels(connection: string) {
	const records = useRecords()
	const key = `levels/${connection}/toggled`
	// The host stores it unchanged; another value is ignored.
	const kept = records.get(key)
	const [toggled, setToggled] = createSignal<ReadonlySet<string>>(
		new Set(Array.isArray(kept) ? kept.filter(id => typeof id === 'string') : []),
	)
	return {
		toggled,
		toggle(id: string): void {
			const next = new Set(toggled())
			if (!next.delete(id)) next.add(id)
			setToggled(next)
			records.set(key, [...next].slice(-most))
		},
	}
}
