import { createSignal } from 'solid-js'

/** The tables that are chosen for an action. */
export function createChosenTables() {
	const [chosen, setChosen] = createSignal<ReadonlySet<string>>(new Set())
	const [revealed, setRevealed] = createSignal<string>()
	return {
		names: chosen,
		has: (name: string) => chosen().has(name),
		/** Chooses the tables, or none of them if all are chosen. */
		toggle(names: readonly string[]): void {
			const next = new Set(chosen())
			const isAll = names.every(name => next.has(name))
			for (const name of names) {
				if (isAll) next.delete(name)
				else next.add(name)
			}
			setChosen(next)
		},
		only: (names: readonly string[]) => void setChosen(new Set(names)),
		/** Chooses a table from outside of the list, which then shows its line. */
		reveal(name: string): void {
			setChosen(new Set([name]))
			setRevealed(name)
		},
		/** The table whose line is still to be shown. */
		revealed,
		endReveal: () => void setRevealed(undefined),
		/** Drops tables that no longer exist. */
		keep(existing: readonly { readonly name: string }[]): void {
			const names = new Set(existing.map(({ name }) => name))
			if ([...chosen()].some(name => !names.has(name))) {
				setChosen(new Set([...chosen()].filter(name => names.has(name))))
			}
		},
	}
}
export type ChosenTables = ReturnType<typeof createChosenTables>
