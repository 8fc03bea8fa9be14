import { isSavedView, type SavedView } from './saved-view.ts'

/** A saved view as a link, for a colleague whose connection has the same name. Pure. */

export interface LinkedView {
	/** The name of the connection. */
	readonly connection: string
	readonly table: string
	readonly view: SavedView
}

const scheme = 'roundhouse://view/'
/** A view has no longer text. */
const longest = 100_000

export const printLink = (linked: LinkedView) => scheme + encodeURIComponent(JSON.stringify(linked))

/** Reads a link. Returns `undefined` for any other text. */
export function readLink(text: string): LinkedView | undefined {
	const link = text.trim()
	if (!link.startsWith(scheme) || link.length > longest) return undefined
	try {
		const value: unknown = JSON.parse(decodeURIComponent(link.slice(scheme.length)))
		if (typeof value !== 'object' || value === null) return undefined
		const { connection, table, view } = value as Partial<LinkedView>
		const isRead = typeof connection === 'string' && typeof table === 'string' && isSavedView(view)
		return isRead ? { connection, table, view } : undefined
	} catch {
		return undefined
	}
}
