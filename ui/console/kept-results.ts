import { createSignal, onCleanup } from 'solid-js'
import { changesRecord, countIn, readChanges, type TableChanges } from '../results/kept-changes.ts'
import { keep, plain } from '../state/keep.ts'
import type { Records } from '../state/records.ts'
import type { TabTarget } from '../state/tab.ts'
import { changesKey } from './kept-console.ts'
import type { Results } from './results.ts'

/** A result that went with its window, with changes that are not saved. */
export interface KeptResult {
	/** Its statement as it is in the console. */
	readonly typed: string
	readonly changes: readonly TableChanges[]
}

/**
 * Keeps the staged changes of results as those of tables are kept. Rows are not kept: a statement may take long or need
 * values, so it runs again when the user chooses to.
 */
export function keepResults(
	records: Records,
	place: Extract<TabTarget, { readonly kind: 'console' }>,
	results: Pick<Results, 'runs'>,
) {
	const key = changesKey(place)
	const [left, setLeft] = createSignal<readonly KeptResult[]>([])
	const shown = () => results.runs().filter(run => run.staged() > 0)
	// The results of another window are not here.
	onCleanup(records.own(key))
	keep(records, key, {
		read() {
			const all = [...left(), ...shown().map(({ typed, changes }) => ({ typed, changes: changes() }))]
			const record = all.map(({ typed, changes }) => ({ typed, changes: changesRecord(changes) }))
			return record.length === 0 ? null : plain(record)
		},
		take: record => setLeft(Array.isArray(record) ? record.flatMap(readKept) : []),
	})
	return {
		/** Those that are in no result that is shown. */
		left,
		/** The number of their changes. */
		count: () => left().reduce((sum, { changes }) => sum + countIn(changes), 0),
		/** Replaces one by what of it is still in no result. */
		settle(kept: KeptResult, rest: readonly TableChanges[]): void {
			const others = rest.length === 0 ? [] : [{ ...kept, changes: rest }]
			setLeft(all => all.flatMap(one => (one === kept ? others : [one])))
		},
		discard(): void {
			setLeft([])
			records.set(key, null)
		},
	}
}

/** The host stores it unchanged; another value is ignored. */
function readKept(record: unknown): readonly KeptResult[] {
	if (typeof record !== 'object' || record === null) return []
	const { typed, changes } = record as Readonly<Record<string, unknown>>
	const found = readChanges(changes)
	return typeof typed === 'string' && found.length > 0 ? [{ typed, changes: found }] : []
}
