import type { Caller } from '../../protocol/caller.ts'
import type { Cursors } from '../../protocol/cursors.ts'
import type { Method } from '../../protocol/method.ts'
import { type Complete, complete, minuteMs } from '../../protocol/outcome.ts'
import { type Apps, showsApps } from '../apps/apps.ts'
import type { ToolRegistry } from './tool-registry.ts'

/** Contract, "Limits": cache TTL of `tools/list`. The list depends on scopes, so it is private. */
const listCache = { ttlMs: 5 * minuteMs, cacheScope: 'private' } as const

export function toolsList(registry: ToolRegistry, cursors: Cursors, apps: Apps): Method {
	const firstPages = new FirstPages()
	return {
		eras: ['modern', 'legacy'],
		handle: ({ cursor }, call) => {
			const { method, caller } = call
			const hasApps = showsApps(call)
			const make = (): Complete => {
				const { items, nextCursor } = cursors.page(
					method,
					registry.descriptors(caller).map(tool => ({ ...(hasApps ? apps.withApp(tool) : tool) })),
					cursor,
				)
				return complete({ tools: items, ...(nextCursor !== undefined && { nextCursor }) }, listCache)
			}
			const look = () =>
				cursor === undefined ? firstPages.get(`${hasApps} ${visibilityKey(caller)}`, registry.revision, make) : make()
			return registry.hasOffers ? registry.look().then(look) : look()
		},
	}
}

/** Returns a key of everything that decides which tools a caller sees. */
function visibilityKey({ scopes, groups, connections }: Caller): string {
	return [scopes, groups, connections].map(set => (set ? [...set].join(' ') : '*')).join('\n')
}

/** Caches the first page for callers that see the same list. It is built and encoded once. */
class FirstPages {
	readonly #pages = new Map<string, Complete>()
	#revision = -1

	get(key: string, revision: number, make: () => Complete): Complete {
		if (revision !== this.#revision) this.#pages.clear()
		this.#revision = revision
		const page = this.#pages.get(key) ?? { ...make(), isShared: true }
		this.#pages.set(key, page)
		return page
	}
}
