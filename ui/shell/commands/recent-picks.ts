import type { PreferenceStore } from '../../state/preferences.ts'
import type { Records } from '../../state/records.ts'

const most = 20

/** What was chosen before. */
export interface RecentPicks {
	/** The latest is first. */
	readonly ids: readonly string[]
	remember(id: string): void
}

/** Commands are the same for all connections. */
export function recentCommands(preferences: PreferenceStore): RecentPicks {
	const key = 'recent/commands'
	const stored = preferences.get(key)
	const ids = Array.isArray(stored) ? stored.filter(id => typeof id === 'string') : []
	return {
		ids,
		remember: id => preferences.set(key, [id, ...ids.filter(other => other !== id)].slice(0, most)),
	}
}

/** What was opened, and when. A type and no interface, so that it is JSON for the compiler. */
type Opened = { readonly id: string; readonly at: number }

/** What was opened last from Quick Open. Each connection has its own record, which is removed with it. */
export function recentDestinations(records: Records): RecentPicks {
	// The host stores it unchanged; another value is ignored.
	const read = (key: string): readonly Opened[] => {
		const kept: unknown = records.get(key)
		return Array.isArray(kept) ? kept.filter(isOpened) : []
	}
	return {
		ids: records
			.keys('recent/')
			.flatMap(read)
			.toSorted((a, b) => b.at - a.at)
			.map(({ id }) => id),
		remember(id) {
			// `table/<connection>/<name>`
			const key = `recent/${id.split('/')[1]}/opened`
			const others = read(key).filter(other => other.id !== id)
			records.set(key, [{ id, at: Date.now() }, ...others].slice(0, most))
		},
	}
}

function isOpened(value: unknown): value is Opened {
	if (typeof value !== 'object' || value === null || !('id' in value) || !('at' in value)) return false
	return typeof value.id === 'string' && typeof value.at === 'number'
}
