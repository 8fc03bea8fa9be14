import { isJsonObject, parseJson } from '@roundhouse/kit'
import { stringsOf } from './destroying-body.ts'
import type { ConsoleRequest } from './request.ts'

/** What stands behind these is the id of one document. */
const perDocument = new Set(['_doc', '_create', '_update'])

/**
 * What a consent for a while may cover: this method, on this endpoint of this index. `undefined` where the body says
 * which indices are written, or no index is.
 */
export function grantTargetOf({ method, path: { segments }, body }: ConsoleRequest): string | undefined {
	const [index = '', endpoint] = segments
	if (index === '' || index.startsWith('_') || endpoint === undefined) return undefined
	if (endpoint === '_bulk' && !namesOnly(index, body ?? '')) return undefined
	const shown = perDocument.has(endpoint) ? segments.slice(0, 2) : segments
	const target = `${method} /${shown.join('/')}`
	return target.length <= longestTarget ? target : undefined
}

/** Beyond this nobody reads it to its end. */
const longestTarget = 200

/**
 * Each line of a bulk request may name an index of its own. Documents are not told from actions, and where a key comes
 * twice the engine may go by the other one: less is granted then.
 */
function namesOnly(index: string, lines: string): boolean {
	return lines
		.split('\n')
		.filter(line => line.trim() !== '')
		.every(line => {
			const mentions = stringsOf(line).filter(text => text === '_index').length
			if (mentions === 0) return true
			const parsed = parseJson(line)
			const [action] = isJsonObject(parsed) ? Object.values(parsed) : []
			return mentions === 1 && isJsonObject(action) && action._index === index
		})
}
