import X from 'lucide-solid/icons/x'
import { createSignal, For, type JSX } from 'solid-js'
import { IconButton } from '../../controls/icon-button.tsx'
import { Splitter } from '../../controls/splitter.tsx'
import { usePreferences } from '../../state/host.tsx'
import { createPaneSize } from '../../state/pane-size.ts'
import { count, counted } from '../../words/format.ts'
import { levelOf } from '../histogram/part-colours.ts'
import type { Trace } from './read-trace.ts'

const spanNoun = { one: 'span', many: 'spans' }
const shares = [0, 0.25, 0.5, 0.75, 1]

/** The spans of a trace as bars along its time, each below the one around it. A click on one selects its row. */
export function TracePane(props: {
	readonly trace: Trace
	/** Why there may be more spans. */
	readonly note: string
	/** The row that is selected. */
	readonly rowId: string | undefined
	onRow(rowId: string): void
	onClose(): void
	/** The user leaves the spans for the rows. */
	onLeave(): void
}): JSX.Element {
	const size = createPaneSize(usePreferences(), 'trace/height', { least: 92, most: 640, initial: 240 })
	const [active, setActive] = createSignal(0)
	let list!: HTMLUListElement
	const percent = (ms: number) => `${props.trace.length === 0 ? 0 : (ms / props.trace.length) * 100}%`
	function onKeyDown(event: KeyboardEvent): void {
		const last = props.trace.spans.length - 1
		const to = { ArrowDown: active() + 1, ArrowUp: active() - 1, Home: 0, End: last }[event.key]
		if (event.key === 'Escape') props.onLeave()
		else if (to === undefined) return
		else {
			setActive(Math.max(0, Math.min(last, to)))
			list.querySelectorAll('button')[active()]?.focus()
		}
		event.preventDefault()
		event.stopPropagation()
	}
	const words = () => {
		const errors = props.trace.spans.filter(({ level }) => levelOf(level) === 'error').length
		const all = [counted(props.trace.spans.length, spanNoun), lengthText(props.trace.length)]
		return [...all, ...(errors > 0 ? [counted(errors, { one: 'error', many: 'errors' })] : [])].join(', ')
	}
	return (
		<>
			<section class="trace" aria-label="Trace" style={{ height: `${size.value()}px` }}>
				<header class="trace-head">
					<strong>Trace</strong>
					<span class="trace-id" title={props.trace.id}>
						{props.trace.id}
					</span>
					<span role="status">{words()}</span>
					<span class="trace-note quiet">{props.note}</span>
					<IconButton label="Close the trace" isSmall onClick={() => props.onClose()}>
						<X size={14} />
					</IconButton>
				</header>
				<ul ref={list} class="trace-spans" aria-label="Spans" on:keydown={onKeyDown}>
					<li class="trace-axis quiet" aria-hidden="true">
						<div>
							<For each={shares}>
								{share => <span style={{ left: `${share * 100}%` }}>{lengthText(props.trace.length * share)}</span>}
							</For>
						</div>
					</li>
					<For each={props.trace.spans}>
						{(span, at) => (
							<li>
								<button
									type="button"
									class={`trace-span level-${levelOf(span.level) ?? 'info'}`}
									classList={{ picked: span.rowId === props.rowId }}
									aria-pressed={span.rowId === props.rowId}
									tabIndex={at() === Math.min(active(), props.trace.spans.length - 1) ? 0 : -1}
									title={`${[span.source, span.name].filter(Boolean).join(': ')}, ${timesOf(span)}`}
									onFocus={() => setActive(at())}
									onClick={() => props.onRow(span.rowId)}
								>
									<span class="trace-name" style={{ 'padding-left': `${Math.min(span.depth, deepest) * 12}px` }}>
										<b>{span.source}</b> {span.name}
									</span>
									<span class="trace-track">
										<i
											classList={{ 'is-line': span.duration === 0 }}
											style={{ left: percent(span.start), width: percent(span.duration) }}
										/>
									</span>
									<span class="trace-length quiet">{span.duration === 0 ? '' : lengthText(span.duration)}</span>
								</button>
							</li>
						)}
					</For>
				</ul>
			</section>
			<Splitter label="Height of the trace" size={size} of="before" isHorizontal />
		</>
	)
}

/** Deeper spans would leave no room for their names. */
const deepest = 12

const timesOf = ({ start, duration }: { readonly start: number; readonly duration: number }) =>
	duration === 0 ? `after ${lengthText(start)}` : `${lengthText(duration)} after ${lengthText(start)}`

/** `0.4 ms`, `87 ms`, `1.25 s`, `75 s`, `3 min`, `21.5 h`. */
function lengthText(ms: number): string {
	if (ms >= 7_200_000) return `${Number((ms / 3_600_000).toPrecision(3))} h`
	if (ms >= 120_000) return `${count(Math.round(ms / 60_000))} min`
	if (ms >= 1000) return `${Number((ms / 1000).toPrecision(3))} s`
	return `${ms < 10 ? Number(ms.toPrecision(2)) : Math.round(ms)} ms`
}
