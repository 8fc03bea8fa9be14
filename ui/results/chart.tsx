import { createMemo, createSignal, For, type JSX, onCleanup, onMount, Show } from 'solid-js'
import { count } from '../words/format.ts'
import type { ResultRows } from './answer.ts'
import { type ChartPoint, chartPoints, mostBars, mostDots, shortTime, ticksOf } from './chart-points.ts'

const [height, left, right, top, bottom] = [220, 46, 12, 12, 26] as const
/** A narrower chart has no room for a label in the middle. */
const narrow = 420

/** Numbers over time as a line, numbers of keys as bars, with the same data as a table for screen readers. */
export function Chart(props: { readonly rows: ResultRows }): JSX.Element {
	const chart = () => props.rows.chart
	/** As wide as its container, so that its text has the usual size. */
	const [width, setWidth] = createSignal(560)
	let drawing!: SVGSVGElement
	onMount(() => {
		const observer = new ResizeObserver(() => setWidth(Math.max(220, drawing.clientWidth)))
		observer.observe(drawing)
		onCleanup(() => observer.disconnect())
	})
	const [column, setColumn] = createSignal(chart()?.values[0] ?? '')
	const points = createMemo(() => chartPoints(props.rows, column()))
	const numbers = createMemo(() => points().flatMap(({ value }) => (value === undefined ? [] : [value])))
	const ticks = createMemo(() => ticksOf(numbers()))
	const isTime = () => chart()?.isTime === true
	const y = (value: number) => {
		const [least = 0, most = 1] = [ticks()[0], ticks().at(-1)]
		return top + (height - top - bottom) * (1 - (value - least) / (most - least))
	}
	const x = (point: ChartPoint) => {
		const [first, last] = [points()[0]?.at ?? 0, points().at(-1)?.at ?? 1]
		const room = width() - left - right
		if (isTime()) return left + (room * (point.at - first)) / Math.max(1, last - first)
		return left + (room * (point.at + 0.5)) / points().length
	}
	const tip = ({ label, text }: ChartPoint) => `${label}: ${text === '' ? 'nothing' : text}`
	const title = () => `${column()} by ${chart()?.by ?? ''}`

	return (
		<figure class="chart">
			<figcaption class="chart-head">
				<Show when={(chart()?.values.length ?? 0) > 1} fallback={<span>{title()}</span>}>
					<label>
						<span class="quiet">Values </span>
						<select onChange={event => setColumn(event.currentTarget.value)}>
							<For each={chart()?.values ?? []}>{name => <option value={name}>{name}</option>}</For>
						</select>
					</label>
				</Show>
				<Show when={!isTime() && props.rows.rows.length > mostBars}>
					<span class="quiet">
						The first {mostBars} of {count(props.rows.rows.length)}
					</span>
				</Show>
				<Show when={isTime() && props.rows.rows.length > mostDots}>
					<span class="quiet">The outline of {count(props.rows.rows.length)} values</span>
				</Show>
			</figcaption>
			<svg
				ref={drawing}
				height={height}
				viewBox={`0 0 ${width()} ${height}`}
				role="img"
				aria-label={`${title()}, ${count(points().length)} values`}
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
				<Show when={isTime()}>
					<path class="chart-curve" d={curve(points(), x, y)} />
				</Show>
				<For each={points()}>
					{point => (
						<Show when={point.value !== undefined}>
							<Show
								when={isTime()}
								fallback={
									<rect
										class="chart-bar"
										x={x(point) - barWidth(points().length, width()) / 2}
										width={barWidth(points().length, width())}
										y={Math.min(y(0), y(point.value ?? 0))}
										height={Math.max(1, Math.abs(y(0) - y(point.value ?? 0)))}
									>
										<title>{tip(point)}</title>
									</rect>
								}
							>
								<circle class="chart-dot" cx={x(point)} cy={y(point.value ?? 0)} r={points().length > 100 ? 1.5 : 3}>
									<title>{tip(point)}</title>
								</circle>
							</Show>
						</Show>
					)}
				</For>
				<For each={labelled(points(), isTime(), width())}>
					{point => (
						<text
							class="chart-word"
							x={x(point)}
							y={height - 8}
							text-anchor={isTime() ? anchorOf(point, points()) : 'middle'}
						>
							{isTime() ? shortTime(point, points()) : short(point.label)}
						</text>
					)}
				</For>
			</svg>
			<table class="unseen">
				<caption>{title()}</caption>
				<thead>
					<tr>
						<th scope="col">{chart()?.by}</th>
						<th scope="col">{column()}</th>
					</tr>
				</thead>
				<tbody>
					<For each={points()}>
						{({ label, text }) => (
							<tr>
								<th scope="row">{label}</th>
								<td>{text}</td>
							</tr>
						)}
					</For>
				</tbody>
			</table>
		</figure>
	)
}

const barWidth = (bars: number, width: number) => Math.min(48, Math.max(2, (0.72 * (width - left - right)) / bars))

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

const short = (label: string) => (label.length > 14 ? `${label.slice(0, 13)}…` : label)

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 })
const shortNumber = (value: number) => compact.format(value)
