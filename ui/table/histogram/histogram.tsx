import { createEffect, createMemo, createSignal, For, type JSX, on, onCleanup, onMount, Show } from 'solid-js'
import { count, counted } from '../../words/format.ts'
import { otherColour, partColours } from './part-colours.ts'
import type { Bucket } from './steps.ts'
import { countTicks } from './ticks.ts'

/** A part of the buckets, by the indices of the first and the last one. */
interface Brush {
	readonly anchor: number
	readonly focus: number
}

/** A part of a bar. */
interface Segment {
	readonly name: string
	readonly size: number
	readonly colour: string
}

/** A moment that is named below the bars. */
export interface AxisTick {
	readonly at: number
	readonly label: string
	/** Whether a day or a longer unit begins among hours, or a year among months. */
	readonly isBreak: boolean
}

/** The room of a label on the axis, in pixels. */
const tickWidth = 110

/**
 * Bars of the counts along an axis. Dragging over them chooses a range, and so do the arrow keys with Shift and then
 * Enter. A double click or Delete resets the range, and Backspace shows the range before. The bar at the pointer, or at
 * the keys, is explained at once.
 */
export function Histogram(props: {
	/** What it shows, for example `Documents by published`. */
	readonly label: string
	readonly buckets: readonly Bucket[]
	/** The values of `Bucket.parts` in words, if bars are split. */
	readonly parts?: readonly string[] | undefined
	/** Formats the edge of a bucket. */
	edge(value: number): string
	/** The engine's word for rows. */
	readonly noun: { readonly one: string; readonly many: string }
	/** At most `most` round values to name below the bars. Without it, these are the ends. */
	ticks?(from: number, to: number, most: number): readonly AxisTick[]
	onRange(from: number, to: number): void
	onReset(): void
	/** Shows the range before. Without it, there is none. */
	readonly onBack?: (() => void) | undefined
}): JSX.Element {
	const [brush, setBrush] = createSignal<Brush>()
	/** The bucket that the keys are at. */
	const [current, setCurrent] = createSignal(0)
	/** What is drawn: an answer that arrives while the pointer drags waits for its end. */
	const [buckets, setBuckets] = createSignal(props.buckets)
	const last = () => buckets().length - 1
	const counts = createMemo(() => countTicks(Math.max(0, ...buckets().map(bucket => bucket.count))))
	const most = () => counts().at(-1) ?? 1
	/** The bucket that the pointer is over. */
	const [pointed, setPointed] = createSignal<number>()
	const [isAtKeys, setAtKeys] = createSignal(false)
	const [width, setWidth] = createSignal(0)
	let bars!: HTMLDivElement
	onMount(() => {
		const observer = new ResizeObserver(() => setWidth(bars.clientWidth))
		observer.observe(bars)
		onCleanup(() => observer.disconnect())
	})
	let isDragging = false
	function draw(next: readonly Bucket[]): void {
		setBrush(undefined)
		setCurrent(at => Math.min(at, Math.max(0, next.length - 1)))
		setBuckets(next)
	}
	createEffect(
		on(
			() => props.buckets,
			next => {
				if (!isDragging) draw(next)
			},
			{ defer: true },
		),
	)
	function endDrag(): void {
		isDragging = false
		if (buckets() !== props.buckets) draw(props.buckets)
	}

	const range = () => {
		const { anchor, focus } = brush() ?? { anchor: current(), focus: current() }
		return { first: Math.min(anchor, focus), last: Math.max(anchor, focus) }
	}
	const isBrushed = (index: number) => brush() !== undefined && index >= range().first && index <= range().last
	function wordsOf({ first, last }: { readonly first: number; readonly last: number }): string {
		const [from, to] = [buckets()[first], buckets()[last]]
		if (!from || !to) return ''
		const total = buckets()
			.slice(first, last + 1)
			.reduce((sum, bucket) => sum + bucket.count, 0)
		const range = `${props.edge(from.from)} – ${props.edge(to.to)}: ${counted(total, props.noun)}`
		if (!props.parts) return range
		const shares = segmentsOf({ ...from, count: total, parts: sums(buckets().slice(first, last + 1)) })
		return `${range} (${shares.map(({ name, size }) => `${name} ${count(size)}`).join(', ')})`
	}
	const colours = createMemo(() => partColours(props.parts ?? []))
	/** The counts of each part over several buckets. */
	const sums = (some: readonly Bucket[]) =>
		(props.parts ?? []).map((_, part) => some.reduce((sum, { parts }) => sum + (parts?.[part] ?? 0), 0))
	/** The parts of a bar that hold something, the most frequent value first. */
	function segmentsOf({ count, parts }: Bucket): readonly Segment[] {
		const known = (props.parts ?? []).map((name, index) => ({
			name,
			size: parts?.[index] ?? 0,
			colour: colours()[index] ?? otherColour,
		}))
		const rest = count - known.reduce((sum, { size }) => sum + size, 0)
		return [...known, { name: 'others', size: rest, colour: otherColour }].filter(({ size }) => size > 0)
	}
	/** The bucket that is explained. */
	const explained = () => {
		const index = pointed() ?? (isAtKeys() ? current() : undefined)
		return index !== undefined && index <= last() ? index : undefined
	}
	/** What is explained: the brush, or one bucket. */
	function explanation(index: number): Explanation | undefined {
		const { first, last } = brush() ? range() : { first: index, last: index }
		const [from, to] = [buckets()[first], buckets()[last]]
		if (!from || !to) return undefined
		const those = buckets().slice(first, last + 1)
		const count = those.reduce((sum, bucket) => sum + bucket.count, 0)
		return {
			range: rangeText(props.edge(from.from), props.edge(to.to)),
			count,
			parts: props.parts ? segmentsOf({ ...from, count, parts: sums(those) }) : [],
		}
	}
	const ticks = createMemo(() => {
		const [first, end] = [buckets()[0], buckets()[last()]]
		if (!first || !end || !props.ticks || width() === 0) return undefined
		const span = end.to - first.from
		const most = Math.max(2, Math.floor(width() / tickWidth))
		return props
			.ticks(first.from, end.to, most)
			.map(tick => ({ ...tick, share: ((tick.at - first.from) / span) * 100 }))
	})
	function choose(): void {
		const { first, last } = range()
		const [from, to] = [buckets()[first], buckets()[last]]
		setBrush(undefined)
		if (from && to) props.onRange(from.from, to.to)
	}
	function indexAt(event: PointerEvent): number {
		const { left, width } = bars.getBoundingClientRect()
		return Math.max(0, Math.min(last(), Math.floor(((event.clientX - left) / width) * buckets().length)))
	}

	function move(to: number, isExtending: boolean): void {
		const index = Math.max(0, Math.min(last(), to))
		const { anchor } = brush() ?? { anchor: current() }
		setCurrent(index)
		setBrush(isExtending ? { anchor, focus: index } : undefined)
	}
	function onKeyDown(event: KeyboardEvent): void {
		const to = {
			ArrowLeft: current() - 1,
			ArrowRight: current() + 1,
			PageUp: current() - 10,
			PageDown: current() + 10,
			Home: 0,
			End: last(),
		}[event.key]
		if (to !== undefined) move(to, event.shiftKey)
		else if (event.key === 'Enter' || event.key === ' ') choose()
		else if (event.key === 'Escape' && brush()) setBrush(undefined)
		else if (event.key === 'Backspace' && props.onBack) props.onBack()
		else if (event.key === 'Backspace' || event.key === 'Delete') props.onReset()
		else return
		event.preventDefault()
		event.stopPropagation()
	}

	return (
		<div class="histogram">
			<div class="histogram-counts" aria-hidden="true">
				<For each={counts()}>
					{value => <span style={{ bottom: `${(value / most()) * 100}%` }}>{count(value)}</span>}
				</For>
			</div>
			<div
				ref={bars}
				class="histogram-bars"
				role="slider"
				tabIndex={0}
				aria-label={props.label}
				aria-valuemin={0}
				aria-valuemax={Math.max(0, last())}
				aria-valuenow={current()}
				aria-valuetext={wordsOf(range())}
				onKeyDown={onKeyDown}
				onFocus={event => setAtKeys(event.currentTarget.matches(':focus-visible'))}
				onBlur={() => setAtKeys(false)}
				onDblClick={() => props.onReset()}
				onPointerDown={event => {
					if (event.button !== 0) return
					event.currentTarget.setPointerCapture(event.pointerId)
					isDragging = true
					move(indexAt(event), false)
				}}
				onPointerMove={event => {
					const index = indexAt(event)
					setPointed(index)
					// A click alone points, and does not choose.
					if (isDragging && (index !== current() || brush())) move(index, true)
				}}
				onPointerLeave={() => setPointed(undefined)}
				onPointerUp={() => {
					if (brush()) choose()
					endDrag()
				}}
				onPointerCancel={() => {
					setBrush(undefined)
					endDrag()
				}}
			>
				<For each={counts().slice(1)}>
					{value => <i class="histogram-line" style={{ bottom: `${(value / most()) * 100}%` }} />}
				</For>
				<For each={ticks()?.filter(({ isBreak }) => isBreak)}>
					{({ share }) => <i class="histogram-break" style={{ left: `${share}%` }} />}
				</For>
				<For each={buckets()}>
					{(bucket, index) => (
						<span
							class="histogram-bucket"
							classList={{
								brushed: isBrushed(index()),
								current: index() === current(),
								pointed: index() === explained(),
							}}
						>
							<Show when={bucket.count > 0}>
								<span class="histogram-bar" style={{ height: `${(bucket.count / most()) * 100}%` }}>
									<Show when={props.parts}>
										<For each={segmentsOf(bucket)}>
											{({ size, colour }) => (
												<span class={`histogram-part chart-part-${colour}`} style={{ flex: size }} />
											)}
										</For>
									</Show>
								</span>
							</Show>
						</span>
					)}
				</For>
				<Show when={explained() !== undefined}>
					<Show when={explanation(explained() ?? 0)}>
						{explanation => (
							<Tip of={explanation()} noun={props.noun} share={(((explained() ?? 0) + 0.5) / buckets().length) * 100} />
						)}
					</Show>
				</Show>
			</div>
			<div class="histogram-axis" aria-hidden="true">
				<Show
					when={ticks()}
					fallback={
						<>
							<span>{props.edge(buckets()[0]?.from ?? 0)}</span>
							<span>{props.edge(buckets()[last()]?.to ?? 0)}</span>
						</>
					}
				>
					{ticks => (
						<For each={ticks()}>
							{({ label, share, isBreak }) => (
								<span
									class="histogram-tick"
									classList={{ break: isBreak, 'is-first': share < 4, 'is-last': share > 96 }}
									style={{ left: `${share}%` }}
								>
									{label}
								</span>
							)}
						</For>
					)}
				</Show>
			</div>
		</div>
	)
}

/** What some buckets hold. */
interface Explanation {
	readonly range: string
	readonly count: number
	readonly parts: readonly Segment[]
}

/** The tooltip of a bar. The bars' text says the same to a screen reader. */
function Tip(props: {
	readonly of: Explanation
	readonly noun: { readonly one: string; readonly many: string }
	/** Where the bar is, in percent. */
	readonly share: number
}): JSX.Element {
	return (
		<div
			class="histogram-tip"
			aria-hidden="true"
			style={
				props.share > 50 ? { right: `calc(${100 - props.share}% + 16px)` } : { left: `calc(${props.share}% + 16px)` }
			}
		>
			<b>{props.of.range}</b>
			<span>{counted(props.of.count, props.noun)}</span>
			<For each={props.of.parts}>
				{({ name, size, colour }) => (
					<span class="histogram-tip-part">
						<i class={`chart-part-${colour}`} />
						{name}
						<span>{count(size)}</span>
					</span>
				)}
			</For>
		</div>
	)
}

/** Two moments of one day have its date once. */
function rangeText(from: string, to: string): string {
	const day = /^.{10} /.exec(from)?.[0]
	return `${from} – ${day !== undefined && to.startsWith(day) ? to.slice(day.length) : to}`
}
