import type { Cursors } from '../../protocol/cursors.ts'
import type { Method } from '../../protocol/method.ts'
import { complete, hourMs } from '../../protocol/outcome.ts'
import type { Services } from '../framework/services.ts'
import { coreTemplates, listCoreResources } from './core-resources.ts'
import { listDriverResources, listDriverTemplates } from './driver-resources.ts'

export function resourcesList(services: Services, cursors: Cursors): Method {
	return {
		eras: ['modern', 'legacy'],
		handle: ({ cursor }, { method, caller }) => {
			const all = [...listCoreResources(caller, services), ...listDriverResources(services.drivers)]
			const { items, nextCursor } = cursors.page(method, all, cursor)
			return complete(
				{ resources: items, ...(nextCursor !== undefined && { nextCursor }) },
				{ ttlMs: 30_000, cacheScope: 'private' },
			)
		},
	}
}

export function resourceTemplatesList(services: Services, cursors: Cursors): Method {
	return {
		eras: ['modern', 'legacy'],
		handle: ({ cursor }, { method }) => {
			const all = [...coreTemplates, ...listDriverTemplates(services.drivers)]
			const { items, nextCursor } = cursors.page(method, all, cursor)
			return complete(
				{ resourceTemplates: items, ...(nextCursor !== undefined && { nextCursor }) },
				{ ttlMs: hourMs, cacheScope: 'public' },
			)
		},
	}
}
