import { createSignal, onCleanup } from 'solid-js'
import { showToast } from '../controls/toasts.tsx'
import { changesRecord, countIn, readChanges, type TableChanges } from '../results/kept-changes.ts'
import { keep, plain } from '../state/keep.ts'
import { holdWindow, ifClosed } from '../state/one-window.ts'
import type { Records } from '../state/records.ts'
import type { TabTarget } from '../state/tab.ts'
import { counted } from '../words/format.ts'
import { changesKey, changesPrefix } from './kept-console.ts'
import type { Results } from './results.ts'

/** A result that went with its window, with changes that are not saved. */
export interface KeptResult {
	/** Its statement as it is in the console. */
	readonly typed: string
	readonly changes: readonly TableChanges[]
}

/**
 * Keeps the staged changes of results as those of tables are kept. Rows are not kept: a statement may take long or need
 * values, so it runs again when the user chooses to. Each window keeps those of its results; those of a
 * window that is closed go to the next one that shows the console.
 */
export function keepResults(
	records: Records,
	place: Extract<TabTarget, { readonly kind: 'console' }>,
	results: Pick<Results, 'runs'>,
) {
	const key = changesKey(place, records.window)
	holdWindow(records.window)
	const [left, setLeft] = createSignal<readonly KeptResult[]>([])
	const shown = () => results.runs().filter(run => run.staged() > 0)
	onCleanup(records.own(key))
	keep(records, key, {
		read() {
			const all = [...left(), ...shown().map(({ typed, changes }) => ({ typed, changes: changes() }))]
			const record = all.map(({ typed, changes }) => ({ typed, changes: changesRecord(changes) }))
			return record.length === 0 ? null : plain(record)
		},
		take: record => setLeft(readAll(record)),
	})
	let isDisposed = false
	/** Takes over what closed windows left. */
	async function adopt(): Promise<void> {
		const prefix = changesPrefix(place)
		for (const left of records.keys(prefix).filter(other => other !== key))
			await ifClosed(left.slice(prefix.length), async () => {
				// Another window may have been faster.
				await records.settle()
				const found = readAll(records.get(left) ?? null)
				if (isDisposed || found.length === 0) return
				setLeft(all => [...all, ...found])
				records.set(left, null)
				await records.settle()
			})
	}
	const onFocus = () => void adopt()
	onFocus()
	// A window that is closed shows itself by the focus of the next one. A reload of it is faster.
	addEventListener('focus', onFocus)
	onCleanup(() => {
		isDisposed = true
		removeEventListener('focus', onFocus)
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
		/** Discards the changes of one, which can be undone. */
		drop(kept: KeptResult): void {
			setLeft(all => all.filter(one => one !== kept))
			const changes = counted(countIn(kept.changes), { one: 'change', many: 'changes' })
			showToast(`Discarded ${changes}.`, { label: 'Undo', run: () => !isDisposed && setLeft(all => [kept, ...all]) })
		},
		discard(): void {
			setLeft([])
			records.set(key, null)
		},
	}
}

const readAll = (record: unknown): readonly KeptResult[] => (Array.isArray(record) ? record.flatMap(readKept) : [])

/** The host stores it unchanged; another value is ignored. */
function readKept(record: unknown): readonly KeptResult[] {
	if (typeof record !== 'object' || record === null) return []
	const { typed, changes } = record as Readonly<Record<string, unknown>>
	const found = readChanges(changes)
	return typeof typed === 'string' && found.length > 0 ? [{ typed, changes: found }] : []
}
