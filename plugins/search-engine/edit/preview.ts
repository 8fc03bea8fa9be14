import { type Change, DriverError, isJsonObject, type JsonObject } from '@roundhouse/kit'
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

/** Returns the requests of changes in console syntax for display, with their side effects as comments. */
export async function previewChanges(
	edited: EditedTable,
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

async function preview(edited: EditedTable, change: Change, signal: AbortSignal): Promise<string> {
	const planned = await planChange(edited, change, signal).catch(error => {
		if (error instanceof ChangedMeanwhile) return error
		throw error
	})
	// Only a save that ends in a conflict lets the user compare and choose.
	if (planned instanceof ChangedMeanwhile) return `# ${planned.message} Saving reports a conflict and changes nothing.`
	const { request, document: known } = planned
	const { text, body } = request
	if (text !== undefined) return describeRequest({ ...request, text: indented(text) })
	const part = isJsonObject(body) && change.kind === 'update' ? body.doc : undefined
	if (change.kind !== 'update' || !isJsonObject(part)) return describeRequest(request)
	const document = known ?? (await documentBefore(edited, change.rowId, signal))
	return [describeRequest(request), ...reprintNotes(merged(document, part))].join('\n')
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
