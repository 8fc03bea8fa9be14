import { cutText, type Filter, type Sort } from '@roundhouse/kit'
import type { Asker } from '../../protocol/asker.ts'
import { printable } from '../../protocol/printable.ts'
import type { OfferedParameter, OfferedRequest } from './offered-requests.ts'

/** A condition in the format of the window's filter bar, with values separated by commas. */
interface ShownFilter {
	readonly column: string
	readonly operator: Filter['operator']
	readonly text: string
}

/** What a client wants to be offered to AI clients. The user reads, tries and offers it, or does not. */
export interface ProposedTool extends Pick<OfferedRequest, 'name' | 'description'> {
	readonly parameters: readonly Pick<OfferedParameter, 'name' | 'type' | 'description'>[]
}

/** The content that a client wants to show: rows of a table, or a statement in a console that is not run. */
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
	| { readonly kind: 'tool'; readonly text: string; readonly tool: ProposedTool }

export interface Showing {
	readonly asker: Asker
	readonly connection: { readonly id: string; readonly name: string }
	/** A title in one line. */
	readonly title: string
	readonly shown: Shown
}

const maxTitleLength = 60

/** Returns a title. Sanitizes the name of the table, because a client may send direction characters in it. */
export function titleOf(shown: Shown): string {
	if (shown.kind === 'statement') return 'a statement'
	if (shown.kind === 'tool') return `the tool that it proposes, ${shown.tool.name},`
	return cutText(printable(shown.table), maxTitleLength)
}

/** Offers content to the user. The window provides it and opens nothing before the user accepts. */
export interface ShowDesk {
	/**
	 * Offers content. A new offer of the same `grantee` replaces the older one. `requireAllowed` repeats the checks once
	 * a window is open, because that takes a while. Its errors are thrown.
	 */
	offer(grantee: string, showing: Showing, requireAllowed: () => void): Promise<'offered' | 'unattended' | 'too_many'>
}

export const noWindow: ShowDesk = { offer: async () => 'unattended' }
