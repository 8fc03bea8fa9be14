import { cutText } from '@roundhouse/kit/cut-text'
import { createMemo, createSignal, For, type JSX, onCleanup, onMount, Show } from 'solid-js'
import { count } from '../words/format.ts'
import {
	barsOf,
	type ChartData,
	type ChartPoint,
	chartPoints,
	drawnBars,
	mostColours,
	mostDots,
	partsOf,
	shortTime,
	stretchOf,
	ticksOf,
} from './chart-points.ts'

const [usualHeight, left, right, top, bottom] = [220, 46, 12, 12, 26] as const
/** A narrower chart has no room for a label in the middle. */
const narrow = 420

/** Numbers over time as a line, numbers of keys or parts as bars, with the same data as a table for screen readers. */
export function Chart(props: {
	readonly data: ChartData
	/** Shows the table below the chart. It is open if it is short. */
	readonly foldsTable?: boolean
}): JSX.Element {
	/** As large as it is laid out, so that its text has the usual size. */
	const [width, setWidth] = createSignal(560)
	const [height, setHeight] = createSignal<number>(usualHeight)
	let drawing!: SVGSVGElement
	onMount(() => {
		const observer = new ResizeObserver(() => {
			setWidth(Math.max(220, drawing.clientWidth))
			setHeight(Math.max(usualHeight, drawing.clientHeight))
		})
		observer.observe(drawing)
		onCleanup(() => observer.disconnect())
	})
	const [column, setColumn] = createSignal(props.data.values[0] ?? 0)
	const isStacked = () => props.data.stack !== undefined
	const isLine = () => props.data.isTime && !isStacked()
	const points = createMemo(() => chartPoints(props.data, column()))
	const drawn = createMemo(() => (isLine() ? points() : drawnBars(points(), props.data.isTime)))
	const parts = createMemo(() => (isStacked() ? partsOf(points()) : []))
	const colourOf = (part: string) => Math.min(Math.max(0, parts().indexOf(part)), mostColours)
	/** One point for each position on the axis. */
	const places = createMemo(() => (isLine() ? drawn() : [...new Map(drawn().map(point => [point.at, point])).values()]))
	const ticks = createMemo(() =>
		ticksOf(drawn().flatMap(({ from, value }) => (value === undefined ? [] : [from + value]))),
	)
	const barWidth = () => Math.min(48, Math.max(2, (0.72 * (width() - left - right)) / places().length))
	const y = (value: number) => {
		const [least = 0, most = 1] = [ticks()[0], ticks().at(-1)]
		// Divides first, because the span may exceed a double.
		return top + (height() - top - bottom) * (1 - (value / 2 - least / 2) / (most / 2 - least / 2))
	}
	const x = ({ at }: ChartPoint) => {
		const [first, last] = [places()[0]?.at ?? 0, places().at(-1)?.at ?? 1]
		const side = isLine() ? 0 : barWidth() / 2
		const room = width() - left - right - 2 * side
		if (props.data.isTime) return left + side + (room * (at - first)) / Math.max(1, last - first)
		return left + ((width() - left - right) * (at + 0.5)) / places().length
	}
	const tip = ({ label, part, text }: ChartPoint) =>
		`${[label, part].filter(Boolean).join(', ')}: ${text === '' ? 'nothing' : text}`
	const nameOf = (index: number) => props.data.columns[index] ?? ''
	const heads = () => [props.data.by, ...(isStacked() ? [props.data.stack ?? 0] : [])].map(nameOf)
	const title = () => `${nameOf(column())} by ${heads().join(', ')}`
	const outside = () => {
		const total = props.data.rows.length
		if (isLine()) return total > mostDots ? `The outline of ${count(total)} values` : ''
		const bars = new Set(points().map(({ at }) => at)).size
		const stretch = stretchOf(bars, barsOf(bars, points().length))
		return stretch > 1 ? `The least and the most of every ${count(stretch)} of ${count(bars)}` : ''
	}

	const Numbers = () => (
		<table classList={{ 'chart-table': props.foldsTable === true, unseen: !props.foldsTable }}>
			<caption>
				{title()}
				<Show when={points().length > mostDots}>
					, the first {count(mostDots)} of {count(points().length)}
				</Show>
			</caption>
			<thead>
				<tr>
					<For each={[...heads(), nameOf(column())]}>{head => <th scope="col">{head}</th>}</For>
				</tr>
			</thead>
			<tbody>
				<For each={points().slice(0, mostDots)}>
					{({ label, part, text }) => (
						<tr>
							<th scope="row">{label}</th>
							<Show when={isStacked()}>
								<td>{part}</td>
							</Show>
							<td>{text}</td>
						</tr>
					)}
				</For>
			</tbody>
		</table>
	)

	return (
		<figure class="chart">
			<figcaption class="chart-head">
				<Show when={props.data.values.length > 1} fallback={<span>{title()}</span>}>
					<label>
						<span class="quiet">Values </span>
						<select onChange={event => setColumn(Number(event.currentTarget.value))}>
							<For each={props.data.values}>{index => <option value={index}>{nameOf(index)}</option>}</For>
						</select>
					</label>
				</Show>
				<span class="quiet">{outside()}</span>
				<For each={parts().slice(0, mostColours)}>
					{part => (
						<span class="chart-key">
							<i class={`chart-part-${colourOf(part)}`} />
							{short(part)}
						</span>
					)}
				</For>
				<Show when={parts().length > mostColours}>
					<span class="chart-key">
						<i class={`chart-part-${mostColours}`} />
						{parts().length - mostColours} others
					</span>
				</Show>
			</figcaption>
			<svg
				ref={drawing}
				height={usualHeight}
				viewBox={`0 0 ${width()} ${height()}`}
				role="img"
				aria-label={`${title()}, ${count(drawn().length)} values`}
			>
				<For each={ticks()}>
					{tick => (
						<>
							<line class="chart-line" x1={left} x2={width() - right} y1={y(tick)} y2={y(tick)} />
							<text class="chart-word" x={left - 6} y={y(tick) + 4} text-anchor="end">
								{shortNumber(tick)}
							</text>
						</>
					)}
				</For>
				<Show when={isLine()}>
					<path class="chart-curve" d={curve(drawn(), x, y)} />
				</Show>
				<For each={drawn().filter(({ value }) => value !== undefined)}>
					{point => {
						const end = () => y(point.from + (point.value ?? 0))
						const size = () => (isLine() ? (drawn().length > 100 ? 3 : 6) : barWidth())
						return (
							<rect
								class={`chart-bar chart-part-${colourOf(point.part)}`}
								x={x(point) - size() / 2}
								width={size()}
								y={isLine() ? end() - size() / 2 : Math.min(y(point.from), end())}
								height={isLine() ? size() : Math.max(1, Math.abs(y(point.from) - end()))}
								rx={isLine() ? size() / 2 : 0}
							>
								<title>{tip(point)}</title>
							</rect>
						)
					}}
				</For>
				<For each={labelled(places(), props.data.isTime, width())}>
					{point => (
						<text
							class="chart-word"
							x={x(point)}
							y={height() - 8}
							text-anchor={props.data.isTime ? anchorOf(point, places()) : 'middle'}
						>
							{props.data.isTime ? shortTime(point, places()) : short(point.label)}
						</text>
					)}
				</For>
			</svg>
			<Show when={props.foldsTable} fallback={<Numbers />}>
				<details open={props.data.rows.length <= 20}>
					<summary>Numbers</summary>
					<Numbers />
				</details>
			</Show>
		</figure>
	)
}

/** A row without a number leaves a gap. */
function curve(points: readonly ChartPoint[], x: (point: ChartPoint) => number, y: (value: number) => number): string {
	let isOn = false
	return points
		.map(point => {
			if (point.value === undefined) {
				isOn = false
				return ''
			}
			const step = `${isOn ? 'L' : 'M'}${x(point).toFixed(1)} ${y(point.value).toFixed(1)}`
			isOn = true
			return step
		})
		.join('')
}

/** As many labels as fit; for time the ends and the middle. */
function labelled(points: readonly ChartPoint[], isTime: boolean, width: number): readonly ChartPoint[] {
	if (isTime && points.length > 2) {
		const middle = width < narrow ? undefined : points[Math.floor(points.length / 2)]
		return [points[0], middle, points.at(-1)].filter(point => point !== undefined)
	}
	const step = Math.ceil((points.length * 80) / width)
	return points.filter((_, index) => index % step === 0)
}

function anchorOf(point: ChartPoint, points: readonly ChartPoint[]): 'start' | 'middle' | 'end' {
	if (point === points[0]) return 'start'
	return point === points.at(-1) ? 'end' : 'middle'
}

const short = (label: string) => cutText(label, 13)

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 })
const shortNumber = (value: number) => (Math.abs(value) < 1e15 ? compact.format(value) : value.toExponential(1))
