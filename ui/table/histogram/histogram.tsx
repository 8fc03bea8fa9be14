import { createEffect, createMemo, createSignal, For, type JSX, on, Show } from 'solid-js'
import { count, counted } from '../../words/format.ts'
import { otherColour, partColours } from './part-colours.ts'
import type { Bucket } from './steps.ts'

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

/**
 * Bars of the counts along an axis. Dragging over them chooses a range, and so do the arrow keys with Shift and then
 * Enter. A double click, Backspace or Delete resets the range.
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
	/** The width of a bucket in words. Without it, nothing is written below the bars. */
	width?(bucket: Bucket): string
	onRange(from: number, to: number): void
	onReset(): void
}): JSX.Element {
	const [brush, setBrush] = createSignal<Brush>()
	/** The bucket that the keys are at. */
	const [current, setCurrent] = createSignal(0)
	/** What is drawn: an answer that arrives while the pointer drags waits for its end. */
	const [buckets, setBuckets] = createSignal(props.buckets)
	const last = () => buckets().length - 1
	const most = () => Math.max(0, ...buckets().map(bucket => bucket.count))
	let bars!: HTMLDivElement
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
	/** What the brush holds, or how high the bars are. */
	function scaleWords(widthOf: (bucket: Bucket) => string): string {
		if (brush()) return wordsOf(range())
		const tallest = buckets().find(bucket => bucket.count === most())
		if (!tallest || tallest.count === 0) return `No ${props.noun.many.toLowerCase()} in this range`
		return `Tallest bar: ${counted(tallest.count, props.noun)} in ${widthOf(tallest)}`
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
		else if (event.key === 'Backspace' || event.key === 'Delete') props.onReset()
		else return
		event.preventDefault()
		event.stopPropagation()
	}

	return (
		<div class="histogram">
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
				onDblClick={() => props.onReset()}
				onPointerDown={event => {
					if (event.button !== 0) return
					event.currentTarget.setPointerCapture(event.pointerId)
					isDragging = true
					move(indexAt(event), false)
				}}
				onPointerMove={event => {
					if (!isDragging) return
					const index = indexAt(event)
					// A click alone points, and does not choose.
					if (index !== current() || brush()) move(index, true)
				}}
				onPointerUp={() => {
					if (brush()) choose()
					endDrag()
				}}
				onPointerCancel={() => {
					setBrush(undefined)
					endDrag()
				}}
			>
				<For each={buckets()}>
					{(bucket, index) => (
						<span
							class="histogram-bucket"
							classList={{ brushed: isBrushed(index()), current: index() === current() }}
							title={wordsOf({ first: index(), last: index() })}
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
			</div>
			<div class="histogram-axis" aria-hidden="true">
				<span>{props.edge(buckets()[0]?.from ?? 0)}</span>
				<Show when={props.width}>{width => <span class="histogram-words">{scaleWords(width())}</span>}</Show>
				<span>{props.edge(buckets()[last()]?.to ?? 0)}</span>
			</div>
		</div>
	)
}
