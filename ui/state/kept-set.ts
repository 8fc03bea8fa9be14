import { createSignal } from 'solid-js'
import { keep } from './keep.ts'
import type { Records } from './records.ts'

/**
 * A set of names that survives a reload of the window, for example the open levels of a tree.
 *
 * @param initial what it has before the user has changed it for the first time
 */
export function createKeptSet(records: Records, key: string, initial: readonly string[] = []) {
	const [names, setNames] = createSignal<ReadonlySet<string>>(new Set(initial))
	keep(records, key, {
		// An empty set is another one than that of the beginning.
		read: () => (names().size > 0 || initial.length > 0 ? [...names()] : null),
		take: value => void setNames(new Set(Array.isArray(value) ? value.filter(name => typeof name === 'string') : [])),
	})
	return {
		has: (name: string) => names().has(name),
		/** Adds the name, or removes it. */
		toggle(name: string): void {
			const next = new Set(names())
			if (!next.delete(name)) next.add(name)
			setNames(next)
		},
	}
}
