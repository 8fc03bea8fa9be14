import { isJsonObject, type Json, type JsonObject, parseJson } from '@roundhouse/kit'
import { bodyValues } from './body-values.ts'

/** One action of a bulk request. */
export interface BulkAction {
	readonly name: 'index' | 'create' | 'update' | 'delete'
	/** The unchanged line of the action. */
	readonly line: string
	readonly metadata: JsonObject
	/** The line after the action. `delete` has none. */
	readonly document: string | undefined
}

const names = new Set<string>(['index', 'create', 'update', 'delete'] satisfies BulkAction['name'][])

/**
 * Reads the lines of a bulk request: actions and documents alternate, except that `delete` has no document. Returns
 * `undefined` if an action cannot be read, because the next line may then be an action or a document.
 */
export function bulkActions(lines: string): readonly BulkAction[] | undefined {
	const given = lines.split('\n').filter(line => line.trim() !== '')
	const actions: BulkAction[] = []
	for (let at = 0; at < given.length; at++) {
		const line = given[at] ?? ''
		const [name, metadata] = actionOf(line)
		if (name === undefined || !isJsonObject(metadata)) return undefined
		actions.push({ name, line, metadata, document: name === 'delete' ? undefined : given[++at] })
	}
	return actions
}

function actionOf(line: string): readonly [name?: BulkAction['name'], metadata?: Json] {
	const parsed = parseJson(line)
	const [action] = isJsonObject(parsed) ? Object.entries(parsed) : []
	// Counted in the text: of a duplicate key, 7.x uses the first value and ignores the rest of the line.
	let members = 0
	for (const { isKey, keys } of bodyValues(line)) if (isKey && keys.length === 1) members++
	if (action === undefined || members > 1 || !names.has(action[0])) return []
	// `names` contains no other names.
	return [action[0] as BulkAction['name'], action[1]]
}
