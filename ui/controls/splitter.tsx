import type { JSX } from 'solid-js'

/** Pixels for an arrow key, without and with Shift. */
const steps = { small: 2, large: 10 }

/** The line between two panes: dragged, moved by arrow keys, and reset by a double click or Enter. */
export function Splitter(props: {
	/** The pane that it sizes, for example `Sidebar`. */
	readonly label: string
	readonly size: {
		value(): number
		readonly least: number
		readonly most: number
		set(value: number): void
		reset(): void
	}
	/** The side of the pane that it sizes. */
	readonly of: 'before' | 'after'
	/** Whether the panes are one above the other. */
	readonly isHorizontal?: boolean
	/** Pixels for one unit of the size; 1 by default. */
	unit?(): number
}): JSX.Element {
	const unit = () => props.unit?.() ?? 1
	const sign = () => (props.of === 'before' ? 1 : -1)
	/** Where the line is dragged from, in pixels across it. */
	let start: { readonly at: number; readonly size: number } | undefined
	const across = ({ clientX, clientY }: PointerEvent) => (props.isHorizontal ? clientY : clientX)

	function onKeyDown(event: KeyboardEvent): void {
		const share = (props.size.most - props.size.least) / 100
		const step = sign() * share * (event.shiftKey ? steps.large : steps.small)
		const [less, more] = props.isHorizontal ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight']
		const to = {
			[less]: props.size.value() - step,
			[more]: props.size.value() + step,
			Home: props.size.least,
			End: props.size.most,
		}[event.key]
		if (to !== undefined) props.size.set(to)
		else if (event.key === 'Enter') props.size.reset()
		else return
		event.preventDefault()
	}

	return (
		// biome-ignore lint/a11y/useSemanticElements: a line that can be moved is a separator with a value, which <hr> is not
		<div
			class="splitter"
			role="separator"
			tabIndex={0}
			aria-label={props.label}
			classList={{ horizontal: props.isHorizontal === true }}
			aria-orientation={props.isHorizontal ? 'horizontal' : 'vertical'}
			aria-valuenow={props.size.value()}
			aria-valuemin={props.size.least}
			aria-valuemax={props.size.most}
			onKeyDown={onKeyDown}
			onDblClick={() => props.size.reset()}
			onPointerDown={event => {
				event.currentTarget.setPointerCapture(event.pointerId)
				start = { at: across(event), size: props.size.value() }
			}}
			onPointerMove={event => {
				if (start) props.size.set(start.size + (sign() * (across(event) - start.at)) / unit())
			}}
			onLostPointerCapture={() => {
				start = undefined
			}}
		/>
	)
}
