import ListFilter from 'lucide-solid/icons/list-filter'
import X from 'lucide-solid/icons/x'
import { createEffect, createMemo, createSignal, For, type JSX, on, Show, untrack } from 'solid-js'
import type { SimilarGroup } from '../../../host/api/api.ts'
import { Failure } from '../../controls/failure.tsx'
import { IconButton } from '../../controls/icon-button.tsx'
import { Splitter } from '../../controls/splitter.tsx'
import { useEngine } from '../../state/engine.tsx'
import { useHost, usePreferences } from '../../state/host.tsx'
import { createPaneSize } from '../../state/pane-size.ts'
import { createTask } from '../../state/task.ts'
import { count, counted } from '../../words/format.ts'
import { type FilterRow, toFilters } from '../filter/filters.ts'
import { shownMoment } from '../time/moment.ts'
import { endsOf } from '../time/time-range.ts'
import { datesOf, shownRange } from '../time-bar/shown-range.ts'
import type { TimedTable } from '../time-bar/timed-table.ts'
import { masked } from './mask.ts'
import { readSimilar, type SimilarQuestion } from './read-similar.ts'

const groupNoun = { one: 'group', many: 'groups' }

/**
 * Groups of similar messages under the filters and the time of a table, above its rows. A click on one keeps its rows,
 * another click shows all of them again.
 */
export function SimilarPane(props: {
	readonly table: TimedTable
	/** The column of the messages. */
	readonly column: string
	/** The columns that can be grouped. */
	readonly columns: readonly string[]
	onColumn(name: string): void
	onClose(): void
	/** The user leaves the groups for the rows. */
	onLeave(): void
}): JSX.Element {
	const host = useHost()
	const { rowNoun, columnNoun } = useEngine()
	const { query, rows, target } = props.table
	const task = createTask((call, question: SimilarQuestion) => readSimilar(host, question, call))
	const groups = () => task.value()?.groups ?? []
	/** The filters of groups, by their text. Those that are applied are left out of the question. */
	const ofGroups = createMemo(
		() => new Set(groups().flatMap(({ filters }) => filters.map(filter => JSON.stringify(filter)))),
	)
	const isOfGroup = (row: FilterRow) => toFilters([row]).some(filter => ofGroups().has(JSON.stringify(filter)))
	const range = () => shownRange(query.time(), datesOf(rows.columns()), props.table.timeZone())
	/** What the groups depend on: a relative time is another one at each reading. */
	const asked = createMemo(() => {
		const others = query.filters.chips().filter(row => !untrack(() => isOfGroup(row)))
		const { span, from, to, column, clock } = range()
		const time = { span, from, to, column, clock }
		const what = { filters: toFilters(others), match: query.filters.match(), raw: query.bar().raw, time }
		return JSON.stringify({ ...what, column: props.column, loads: props.table.loads() })
	})
	createEffect(
		on([asked, rows.isOpening], ([, isOpening], _before, last?: string) => {
			// The rows come first: the engine would group before it reads them.
			if (isOpening || asked() === last || range().column === '') return last
			const now = Date.now()
			const { from, to } = endsOf(range(), now)
			const chosen = query.chosen()
			void task.run({
				connection: target.connection,
				query: { ...chosen, filters: chosen.filters.filter(filter => !ofGroups().has(JSON.stringify(filter))) },
				column: props.column,
				time: range().column,
				rowNoun,
				ends: { from, to: to ?? (from === undefined ? undefined : now) },
			})
			return asked()
		}),
	)

	const chipsOf = ({ filters }: SimilarGroup) => {
		const texts = new Set(filters.map(filter => JSON.stringify(filter)))
		return query.filters.chips().filter(row => toFilters([row]).some(filter => texts.has(JSON.stringify(filter))))
	}
	const isPicked = (group: SimilarGroup) => chipsOf(group).length > 0
	function pick(group: SimilarGroup): void {
		const isOn = isPicked(group)
		for (const row of query.filters.chips().filter(isOfGroup)) query.filters.drop(row)
		if (isOn) return
		query.filters.put(
			group.filters.map(({ column, operator, values }) => ({ column, operator, text: values.join('\n'), isOn: true })),
		)
	}

	const [active, setActive] = createSignal(0)
	let list: HTMLUListElement | undefined
	function onKeyDown(event: KeyboardEvent): void {
		const last = listed().length - 1
		const to = { ArrowDown: active() + 1, ArrowUp: active() - 1, Home: 0, End: last }[event.key]
		if (event.key === 'Escape') props.onLeave()
		else if (to === undefined) return
		else {
			setActive(Math.max(0, Math.min(last, to)))
			list?.querySelectorAll('button')[active()]?.focus()
		}
		event.preventDefault()
		event.stopPropagation()
	}

	const size = createPaneSize(usePreferences(), 'similar/height', { least: 92, most: 480, initial: 176 })
	const single = () => groups().filter(group => group.count === 1).length
	/** Whether each message stands alone, so that a list of the groups would repeat the rows. */
	const isUngrouped = () => groups().length > 1 && single() === groups().length
	const [showsSingle, setShowsSingle] = createSignal(false)
	/** Groups of one message are folded where they are most of the list. */
	const isFolded = () => !showsSingle() && single() > groups().length / 2 && groups().length > 1
	const listed = () => (isFolded() ? groups().filter(group => group.count > 1) : groups())
	const hasExamples = createMemo(() => listed().some(group => exampleOf(group) !== ''))
	const when = (time: string) => (time === '' ? '' : shownMoment(Date.parse(time), range().clock))
	const head = () => {
		const found = task.value()
		if (!found) return task.isRunning() ? 'Grouping …' : 'Not grouped'
		if (isUngrouped()) return 'No similar messages'
		const words = `${counted(listed().length, groupNoun)} of similar messages`
		return found.sampled === undefined ? words : `${words} of the newest ${counted(found.sampled, rowNoun)}`
	}
	return (
		<>
			<section
				class="similar"
				aria-label="Similar messages"
				style={isFolded() || isUngrouped() ? { 'max-height': `${size.value()}px` } : { height: `${size.value()}px` }}
			>
				<header class="similar-head">
					<span role="status">{head()}</span>
					<Show when={task.isRunning()}>
						<Show when={task.progress()}>
							{step => (
								<span class="quiet">
									{count(step().done)} of {count(step().total ?? 0)}
								</span>
							)}
						</Show>
						<button type="button" class="button small" onClick={() => task.cancel()}>
							Cancel
						</button>
					</Show>
					<Show when={!task.isRunning() && task.value() === undefined && task.error() === undefined}>
						<button type="button" class="button small" onClick={() => task.retry()}>
							Group them
						</button>
					</Show>
					<span class="similar-notes quiet">{(task.value()?.notices ?? []).join(' ')}</span>
					<label>
						Group by
						<select
							aria-label={`${columnNoun.one} of the message`}
							value={props.column}
							onChange={event => props.onColumn(event.currentTarget.value)}
						>
							<For each={props.columns}>
								{name => (
									<option value={name} selected={name === props.column}>
										{name}
									</option>
								)}
							</For>
						</select>
					</label>
					<IconButton label="Close the similar messages" isSmall onClick={props.onClose}>
						<X size={14} />
					</IconButton>
				</header>
				<Failure of={task} isSilent={rows.failure() !== undefined} />
				<Show
					when={groups().length > 0 && !isUngrouped()}
					fallback={
						<Show when={task.value() && !task.isRunning()}>
							<p class="similar-none quiet">
								{isUngrouped()
									? `Each ${rowNoun.one} has a message of a different form. Choose a longer time, or group by another ${columnNoun.one.toLowerCase()}.`
									: `No ${rowNoun.many} with a message and a time.`}
							</p>
						</Show>
					}
				>
					<div class="similar-columns quiet" aria-hidden="true">
						<span class="similar-count">Count</span>
						<span class="similar-over-time">Over time</span>
						<span class="similar-pattern">Pattern</span>
						<Show when={hasExamples()}>
							<span class="similar-example">Example</span>
						</Show>
						<span class="similar-when">First</span>
						<span class="similar-when">Last</span>
					</div>
					<ul ref={list} class="similar-groups" aria-label="Groups" on:keydown={onKeyDown}>
						<For each={listed()}>
							{(group, at) => (
								<li>
									<button
										type="button"
										class="similar-group"
										classList={{ picked: isPicked(group) }}
										aria-pressed={isPicked(group)}
										tabIndex={at() === Math.min(active(), listed().length - 1) ? 0 : -1}
										title={`For example: ${group.example}`}
										onFocus={() => setActive(at())}
										onClick={() => pick(group)}
									>
										<span class="similar-count">{count(group.count)}</span>
										<ListFilter size={12} />
										<Spark counts={group.counts} />
										<span class="similar-pattern">
											<Pattern text={group.pattern} />
										</span>
										<Show when={hasExamples()}>
											<span class="similar-example">{exampleOf(group)}</span>
										</Show>
										<span class="similar-when">{when(group.first)}</span>
										<span class="similar-when">{group.count > 1 ? when(group.last) : ''}</span>
									</button>
								</li>
							)}
						</For>
						<Show when={isFolded()}>
							<li>
								<button type="button" class="similar-group similar-single" onClick={() => setShowsSingle(true)}>
									Show the {count(single())} messages that are like no other
								</button>
							</li>
						</Show>
					</ul>
				</Show>
			</section>
			<Splitter label="Height of the similar messages" size={size} of="before" isHorizontal />
		</>
	)
}

/** Returns the example of a group, if it tells more than the pattern with values in its masks. */
function exampleOf({ count, example, pattern }: SimilarGroup): string {
	let at = 0
	const isRepeated = pattern.split(/[*?]/).every(word => {
		const found = example.indexOf(word, at)
		at = found + word.length
		return found >= 0
	})
	return count === 1 || isRepeated ? '' : example
}

/** A pattern, in which masks are paler than its words. */
function Pattern(props: { readonly text: string }): JSX.Element {
	const words = () => props.text.split(masked)
	return (
		<For each={words()}>
			{(word, at) => (
				<>
					<Show when={at() > 0}>
						<i>{masked}</i>
					</Show>
					{word}
				</>
			)}
		</For>
	)
}

/** Counts over time as bars, the largest as high as the line. */
function Spark(props: { readonly counts: readonly number[] }): JSX.Element {
	const most = () => Math.max(1, ...props.counts)
	return (
		<svg class="similar-spark" viewBox={`0 0 ${props.counts.length} 16`} preserveAspectRatio="none" aria-hidden="true">
			<For each={props.counts}>
				{(rows, at) => {
					const height = () => (rows === 0 ? 0 : Math.max(1, (rows / most()) * 16))
					return <rect x={at() + 0.1} y={16 - height()} width={0.8} height={height()} />
				}}
			</For>
		</svg>
	)
}
