import { createEffect, type JSX, on, Show } from 'solid-js'
import { FindBar } from '../../controls/find/find-bar.tsx'
import { count, counted } from '../../words/format.ts'
import type { GridModel } from '../model.ts'

/** Finds in the loaded rows, and says how many those are. The search in all rows is the engine's. */
export function RowsFindBar(props: {
	readonly grid: GridModel
	/** Goes to the query of the whole table; absent if the engine has none. */
	readonly onSearchAll: (() => void) | undefined
}): JSX.Element {
	const { find, source, nouns } = props.grid
	const rowNoun = nouns.row
	let focus = () => {}
	createEffect(on(find.opens, () => focus(), { defer: true }))
	const scope = () => {
		const [searched, all] = [find.scope(), source.count()]
		return searched < all
			? `in ${count(searched)} loaded of ${counted(all, rowNoun)}`
			: `in all ${counted(all, rowNoun)}`
	}
	return (
		<FindBar
			label={`Find in the loaded ${rowNoun.many.toLowerCase()}`}
			finding={find.finding()}
			isTyped={find.opens().isTyped}
			ref={own => {
				focus = own
			}}
			onQuery={find.seek}
			onStep={find.step}
			onClose={find.close}
		>
			<span class="find-scope quiet">{find.searchText() === '' ? '' : scope()}</span>
			<Show when={props.onSearchAll}>
				{search => (
					<button type="button" class="button small" onClick={() => search()()}>
						Search all {rowNoun.many.toLowerCase()}
					</button>
				)}
			</Show>
		</FindBar>
	)
}
