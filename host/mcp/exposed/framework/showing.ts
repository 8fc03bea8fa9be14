import type { Filter, Sort } from '@roundhouse/kit'
import type { Asker } from '../../protocol/asker.ts'
import { printable } from '../../protocol/printable.ts'

/** A condition as the window's bar of filters holds it: several values are parted by commas. */
interface ShownFilter {
	readonly column: string
	readonly operator: Filter['operator']
	readonly text: string
}

/** What a client wants the person to see: rows of a table, or a statement that waits in a console. */
export type Shown =
	| {
			readonly kind: 'table'
			readonly table: string
			readonly filters: readonly ShownFilter[]
			readonly match: 'all' | 'any'
			readonly sort: readonly Sort[]
			readonly raw: string
	  }
	| { readonly kind: 'statement'; readonly text: string }

export interface Showing {
	readonly asker: Asker
	readonly connection: { readonly id: string; readonly name: string }
	/** What it is, on one line of the window. */
	readonly title: string
	readonly shown: Shown
}

const longestTitle = 60

/** A client may write a name as no table has it, for example with what turns how the rest of a line reads. */
export function titleOf(shown: Shown): string {
	if (shown.kind === 'statement') return 'a statement'
	const title = printable(shown.table)
	return title.length > longestTitle ? `${title.slice(0, longestTitle).toWellFormed()}…` : title
}

/** Tells the person of something to see. The window brings one; nothing moves before they say so. */
export interface ShowDesk {
	/**
	 * `grantee`: whose it is; the newest takes the place of an older one. `requireAllowed`: looks again once a window is
	 * there, because that takes a while; what it throws is thrown.
	 */
	offer(grantee: string, showing: Showing, requireAllowed: () => void): Promise<'offered' | 'nobody' | 'too_many'>
}

export const noWindow: ShowDesk = { offer: async () => 'nobody' }
