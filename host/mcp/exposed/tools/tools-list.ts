import type { Cursors } from '../../protocol/cursors.ts'
import type { Method } from '../../protocol/method.ts'
import { type Complete, complete, minuteMs } from '../../protocol/outcome.ts'
import type { ToolRegistry } from './tool-registry.ts'

/** Contract, "Limits": Cache TTL of `tools/list`; the list differs by scopes, so it is private. */
const listCache = { ttlMs: 5 * minuteMs, cacheScope: 'private' } as const

export function toolsList(registry: ToolRegistry, cursors: Cursors): Method {
	const firstPages = new FirstPages()
	return {
		eras: ['modern', 'legacy'],
		handle: ({ cursor }, { method, caller }) => {
			const make = (): Complete => {
				const { items, nextCursor } = cursors.page(method, registry.descriptors(caller), cursor)
				return complete({ tools: items, ...(nextCursor !== undefined && { nextCursor }) }, listCache)
			}
			return cursor === undefined ? firstPages.get([...caller.scopes].join(' '), registry.revision, make) : make()
		},
	}
}

/** Callers with the same scopes see the same list, so its first page is made and encoded once. */
class FirstPages {
	readonly #pages = new Map<string, Complete>()
	#revision = -1

	get(scopes: string, revision: number, make: () => Complete): Complete {
		if (revision !== this.#revision) this.#pages.clear()
		this.#revision = revision
		const page = this.#pages.get(scopes) ?? { ...make(), isShared: true }
		this.#pages.set(scopes, page)
		return page
	}
}
