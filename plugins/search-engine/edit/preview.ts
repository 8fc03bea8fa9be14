import { type Change, DriverError, isJsonObject, type JsonObject, parseJson, stringifyJson } from '@roundhouse/kit'
import { decodeRowId } from '../grid/row-id.ts'
import { objectOf } from '../transport/answer.ts'
import { describeRequest } from '../transport/describe-request.ts'
import { merged } from './document.ts'
import { type EditedTable, planChange } from './plan.ts'
import { ChangedMeanwhile, readDocument } from './read-document.ts'
import { reprintsIn } from './reprint.ts'
import { indented } from './source-text.ts'

/** Number of documents read concurrently. */
const atOnce = 16

interface ShownTable extends EditedTable {
	/** Fields that no text shows, and all below them. */
	readonly without: readonly string[]
}

/** Returns the requests of changes in console syntax for display, with their side effects as comments. */
export async function previewChanges(
	edited: ShownTable,
	changes: readonly Change[],
	signal: AbortSignal,
): Promise<string[]> {
	const previews: string[] = []
	for (let from = 0; from < changes.length; from += atOnce) {
		const part = changes.slice(from, from + atOnce)
		previews.push(...(await Promise.all(part.map(change => preview(edited, change, signal)))))
	}
	return previews
}

async function preview(edited: ShownTable, change: Change, signal: AbortSignal): Promise<string> {
	const planned = await planChange(edited, change, signal).catch(error => {
		if (error instanceof ChangedMeanwhile) return error
		throw error
	})
	// Only a save that ends in a conflict lets the user compare and choose.
	if (planned instanceof ChangedMeanwhile) return `# ${planned.message} Saving reports a conflict and changes nothing.`
	const { request, document: known } = planned
	const { text, body } = request
	if (text !== undefined) {
		const { without } = edited
		if (without.length === 0) return describeRequest({ ...request, text: indented(text) })
		const shown = stringifyJson(withoutFields(objectOf(parseJson(text)), without))
		return `${describeRequest({ ...request, text: indented(shown) })}\n# Fields that the user hides stay as they are.`
	}
	const part = isJsonObject(body) && change.kind === 'update' ? body.doc : undefined
	if (change.kind !== 'update' || !isJsonObject(part)) return describeRequest(request)
	const document = known ?? (await documentBefore(edited, change.rowId, signal))
	const shown = withoutFields(document, edited.without)
	return [describeRequest(request), ...reprintNotes(merged(shown, part))].join('\n')
}

function withoutFields(document: JsonObject, without: readonly string[]): JsonObject {
	const isFree = (key: string) => !without.some(name => key === name || key.startsWith(`${name}.`))
	return Object.fromEntries(Object.entries(document).filter(([key]) => isFree(key)))
}

/**
 * Returns the document that the engine will merge into, or an empty object if it no longer exists; saving reports that.
 */
async function documentBefore(edited: EditedTable, rowId: string, signal: AbortSignal): Promise<JsonObject> {
	try {
		const { answer } = await readDocument(edited, decodeRowId(rowId, edited.name), signal)
		return objectOf(answer._source)
	} catch (error) {
		if (error instanceof DriverError && error.code === 'not_found') return {}
		throw error
	}
}

const reprintsNamed = 5

/** Returns comments in console syntax. */
function reprintNotes(document: JsonObject): string[] {
	const reprints = reprintsIn(document)
	if (reprints.length === 0) return []
	const named = reprints.slice(0, reprintsNamed).map(({ path, from, to }) => `${path}: ${from} becomes ${to}`)
	const more = reprints.length > reprintsNamed ? [`and ${reprints.length - reprintsNamed} more`] : []
	return [
		'# The engine reformats the numbers of the whole document:',
		...[...named, ...more].map(line => `#   ${line}`),
	]
}
