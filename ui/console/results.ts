import { createMemo, createSignal } from 'solid-js'
import type { ConsoleResult } from '../../host/api/api.ts'
import type { Run } from './run.ts'

/** More results with rows or answers of one group are not kept. Pinned ones do not count. */
export const mostResults = 20
/** Outcomes without rows, which have a line each. */
const mostMessages = 500

/** A tab of the results: one run, or all outcomes without rows. */
export type ResultTab = Run | 'messages'

export type Results = ReturnType<typeof createResults>

/**
 * The results that a console shows. The first outcome of a group of runs replaces the results of the groups before it,
 * except those that the user has pinned.
 *
 * @param onKept called if a result is not removed, because its changes are not saved
 */
export function createResults(onKept: () => void = () => {}) {
	/** Groups, the latest first; each in the order of the text. */
	const [runs, setRuns] = createSignal<readonly Run[]>([])
	const [pinned, setPinned] = createSignal<ReadonlySet<Run>>(new Set())
	/** Whether results of the latest group were dropped. */
	const [isCut, setIsCut] = createSignal(false)
	const [chosen, setChosen] = createSignal<Run>()
	/** Whether the user has chosen a tab since the latest group began. */
	let isByUser = false
	const ended = createMemo(() => runs().filter(hasEnded))
	/** A result with changes that are not saved is kept too. */
	const isPinned = (run: Run) => pinned().has(run) || run.staged() > 0
	const own = createMemo(() => ended().filter(hasOwnTab))
	const messages = createMemo(() => ended().filter(run => !hasOwnTab(run)))
	/** The results with a separate tab: those that the user has pinned come first. */
	const tabs = createMemo((): readonly Run[] => [...own().filter(isPinned), ...own().filter(run => !isPinned(run))])
	const all = createMemo((): readonly ResultTab[] => [
		...tabs(),
		...(messages().length > 0 ? ['messages' as const] : []),
	])
	const front = createMemo((): ResultTab | undefined => {
		const run = chosen()
		const tab = run && (hasOwnTab(run) ? run : 'messages')
		return tab && run && ended().includes(run) ? tab : all()[0]
	})
	function remove(isRemoved: (run: Run) => boolean): void {
		const removed = runs().filter(isRemoved)
		setRuns(known => known.filter(run => !removed.includes(run)))
		for (const run of removed) run.dispose()
	}

	function limit(): void {
		const dropped = new Set([
			...tabs()
				.filter(run => !isPinned(run))
				.slice(0, -mostResults),
			...messages().slice(0, -mostMessages),
		])
		if (dropped.size === 0) return
		setIsCut(true)
		remove(run => dropped.has(run))
	}
	function choose(tab: ResultTab): void {
		isByUser = true
		setChosen(tab === 'messages' ? messages().at(-1) : tab)
	}

	return {
		runs,
		tabs,
		messages,
		all,
		isCut,
		front,
		choose,
		/** Shows the next tab, or the one before. */
		step(by: 1 | -1): void {
			const [shown, known] = [front(), all()]
			const next = shown && known.at((known.indexOf(shown) + by) % known.length)
			if (next) choose(next)
		},
		isPinned,
		/** The number of changes in results that are not saved. */
		staged: () => runs().reduce((sum, run) => sum + run.staged(), 0),
		/** Keeps a result when other statements run, or no longer. */
		togglePin(run: Run): void {
			setPinned(known => new Set(known.has(run) ? [...known].filter(other => other !== run) : [...known, run]))
		},
		/** Adds a run that has just begun. */
		begin(run: Run): void {
			const place = runs().findLastIndex(({ group }) => group === run.group) + 1
			if (place === 0) {
				isByUser = false
				setIsCut(false)
			}
			setRuns(known => [...known.slice(0, place), run, ...known.slice(place)])
		},
		/** Shows a run that has ended. A cancelled one replaces nothing. */
		end(run: Run): void {
			const hasOutcome = (run.task.value() ?? run.task.error()) !== undefined
			const isOld = (other: Run) => other.group < run.group && !other.task.isRunning() && !isPinned(other)
			if (hasOutcome) remove(isOld)
			limit()
			const isLatest = runs()[0]?.group === run.group
			const isSeen = hasOwnTab(run) || chosen()?.group !== run.group
			if (run.failure() !== undefined || (isLatest && isSeen && !isByUser)) setChosen(run)
		},
		dismiss(run: Run): void {
			if (run.staged() > 0) return onKept()
			const known = all()
			const at = known.indexOf(run)
			const next = front() === run ? (known[at + 1] ?? known[at - 1]) : undefined
			setPinned(pinned => new Set([...pinned].filter(other => other !== run)))
			if (next) choose(next)
			remove(other => other === run)
		},
		/** Removes all that have ended and are not pinned. */
		clear(): void {
			setIsCut(false)
			remove(run => !run.task.isRunning() && !isPinned(run))
		},
	}
}

const hasEnded = ({ task }: Run) => !task.isRunning() || task.value() !== undefined

/** Whether a run has more to show than a line: rows, an answer, several results, or an error. */
function hasOwnTab({ task, failure }: Run): boolean {
	const result = task.value()
	return failure() !== undefined || (result !== undefined && hasAnswer(result))
}

function hasAnswer({ body, raw, more = [], panels = [] }: ConsoleResult): boolean {
	const hasText = body.view === 'rows' || (body.view === 'json' ? body.json : body.text)
	return Boolean(hasText || raw) || more.length + panels.length > 0
}
