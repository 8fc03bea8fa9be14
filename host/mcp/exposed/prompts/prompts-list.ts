import type { Cursors } from '../../protocol/cursors.ts'
import type { Method } from '../../protocol/method.ts'
import { complete, hourMs } from '../../protocol/outcome.ts'
import type { PromptRegistry } from './prompt-registry.ts'

export function promptsList(registry: PromptRegistry, cursors: Cursors): Method {
	return {
		eras: ['modern', 'legacy'],
		handle: ({ cursor }, { method }) => {
			const { items, nextCursor } = cursors.page(method, registry.all(), cursor)
			return complete(
				{ prompts: items.map(prompt => prompt.descriptor), ...(nextCursor !== undefined && { nextCursor }) },
				{ ttlMs: hourMs, cacheScope: 'public' },
			)
		},
	}
}
