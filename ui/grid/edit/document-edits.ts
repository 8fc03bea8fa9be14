import { isJsonObject, parseJson, stringifyJson } from '@roundhouse/kit/json'
import type { Column } from '../../../host/api/api.ts'
import { repeatedName } from '../../json/members.ts'
import { messageOf } from '../../words/message-of.ts'
import { documentChanges, withCells } from './document-changes.ts'
import type { Edits } from './edits.ts'

/** A longer document is shown as read: parsing it at each change would be slow. */
const mostBytes = 5_000_000

/** Applies staged changes to the document panel, and stages its changes. */
export function createDocumentEdits(edits: Edits, columns: () => readonly Column[]) {
	const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
	return {
		withStaged(rowId: string, bytes: Uint8Array): Uint8Array {
			const cells = edits.get(rowId)?.cells
			if (!cells?.size || bytes.length > mostBytes) return bytes
			try {
				const document = parseJson(textOf(bytes))
				if (!isJsonObject(document)) return bytes
				const changed = withCells(
					document,
					[...cells].map(([name, { after }]) => ({ name, after })),
				)
				return new TextEncoder().encode(stringifyJson(changed))
			} catch {
				// Invalid JSON despite the driver's claim, or too deep: it is shown as it came.
				return bytes
			}
		},
		stage(
			row: { readonly id: string; readonly version?: string },
			bytes: Uint8Array,
			text: string,
		): string | undefined {
			if (edits.get(row.id)?.isDeleted) return 'It is marked to be deleted.'
			try {
				const before = parseJson(textOf(bytes))
				const after = parseJson(text)
				// A parser keeps the last of them silently: an edit of the other would be lost.
				const twice = repeatedName(new TextEncoder().encode(text)) ?? repeatedName(bytes)
				if (twice !== undefined) return `"${twice}" occurs twice in one object. Remove one of them.`
				const found = isJsonObject(before)
					? documentChanges(before, after, columns())
					: { fault: 'It is not an object and cannot be changed here.' }
				if ('fault' in found) return found.fault
				edits.setCells(found.changes.map(({ name, before, after }) => ({ row, column: { name }, before, after })))
				return undefined
			} catch (error) {
				if (error instanceof RangeError) return 'It is nested too deeply to be changed here. Change it in the console.'
				return `This is not JSON: ${messageOf(error)}`
			}
		},
	}
}
