import { isJsonObject, parseJson, stringifyJson } from '@roundhouse/kit/json'
import type { Column } from '../../../host/api/api.ts'
import { repeatedName } from '../../json/members.ts'
import { messageOf } from '../../words/message-of.ts'
import { documentChanges, withCells } from './document-changes.ts'
import type { Edits } from './edits.ts'

/**
 * Size limit in bytes. A larger document is shown without staged changes, because parsing it after each change would be
 * slow.
 */
const maxBytes = 5_000_000

/** Applies staged changes to the document panel, and stages its changes. */
export function createDocumentEdits(edits: Edits, columns: () => readonly Column[]) {
	const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
	return {
		withStaged(rowId: string, bytes: Uint8Array): Uint8Array {
			const cells = edits.get(rowId)?.cells
			if (!cells?.size || bytes.length > maxBytes) return bytes
			try {
				const document = parseJson(textOf(bytes))
				if (!isJsonObject(document)) return bytes
				const changed = withCells(
					document,
					[...cells].map(([name, { after }]) => ({ name, after })),
				)
				return new TextEncoder().encode(stringifyJson(changed))
			} catch {
				// The document is not valid JSON or is nested too deeply. Show the original bytes.
				return bytes
			}
		},
		stage(
			row: { readonly id: string; readonly version?: string },
			bytes: Uint8Array,
			text: string,
		): string | undefined {
			if (edits.get(row.id)?.isDeleted) return 'This row is marked for deletion. Undo the deletion to edit it.'
			try {
				const before = parseJson(textOf(bytes))
				const after = parseJson(text)
				// A JSON parser silently keeps the last of several equal names, so an edit of another one would be lost.
				const twice = repeatedName(new TextEncoder().encode(text)) ?? repeatedName(bytes)
				if (twice !== undefined) return `"${twice}" occurs twice in one object. Remove one of them.`
				const found = isJsonObject(before)
					? documentChanges(before, after, columns())
					: { fault: 'This is not a JSON object, so you cannot edit it here.' }
				if ('fault' in found) return found.fault
				edits.setCells(found.changes.map(({ name, before, after }) => ({ row, column: { name }, before, after })))
				return undefined
			} catch (error) {
				if (error instanceof RangeError) return 'This JSON is nested too deeply to edit here. Edit it in the console.'
				return `This is not JSON: ${messageOf(error)}`
			}
		},
	}
}
