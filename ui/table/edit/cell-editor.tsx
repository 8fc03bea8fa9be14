import { isCutCell } from '@roundhouse/kit/cell'
import {
	createMemo,
	createSignal,
	createUniqueId,
	For,
	type JSX,
	Match,
	onCleanup,
	onMount,
	Show,
	Switch,
} from 'solid-js'
import type { Cell, Column } from '../../../host/api/api.ts'
import { editText } from '../../cells/edit-text.ts'
import type { Move } from '../../cells/moves.ts'
import type { CellPosition } from '../../cells/selection.ts'
import { hasLineBreak } from '../../controls/line-breaks.ts'
import { TextInput } from '../../controls/text-input.tsx'
import type { VisibleRows } from '../../grid/view/scrolling.ts'
import { askBeforeLeaving } from '../../state/leaving.ts'
import { choicesOf, editorKind, readCell } from './cell-input.ts'
import { editorPlace } from './editor-place.ts'
import { ReferredList, useReferredList } from './referred-rows.tsx'

/** The hint and the button beside it fit in it. */
const leastWidth = 180

/**
 * Edits one cell in place, by its kind. Enter keeps (Ctrl+Enter for JSON and several lines), Escape cancels, Tab keeps and
 * moves on.
 */
export function CellEditor(props: {
	readonly column: Column
	readonly cell: Cell
	/** The cell's position, counted from 0 without the header. */
	readonly place: CellPosition
	/** The typed character that started editing; it replaces the value. */
	readonly typed: string | undefined
	/** It was typed to its end already. */
	readonly ends?: Move | undefined
	readonly left: number
	readonly top: number
	readonly width: number
	/** The visible part of the rows, which it stays in. */
	readonly visible: VisibleRows
	/** Number of selected cells; Ctrl+Enter sets all of them. */
	readonly selectedCount: number
	onDone(next?: Cell, isForAll?: boolean): void
	onMove(move: Move): void
	/** Receives a function that keeps the value. It returns `false` and focuses the editor if the value is refused. */
	ref(finish: () => boolean): void
}): JSX.Element {
	const kind = editorKind(props.column, props.cell)
	const choices = choicesOf(props.column, kind, editText(kind, props.cell))
	const isChoice = (text: string) => choices?.includes(text)
	const [text, setText] = createSignal((choices ? undefined : props.typed) ?? editText(kind, props.cell))
	const [fault, setFault] = createSignal<string>()
	/** What was typed to find a choice. */
	const [sought, setSought] = createSignal('')
	if (choices && props.typed !== undefined) seek(props.typed)
	/** Enter begins a line. */
	const hasLines = createMemo((had: boolean) => had || hasLineBreak(text()), kind === 'json')
	let field!: HTMLInputElement & HTMLTextAreaElement & HTMLSelectElement
	askBeforeLeaving(() => text() !== editText(kind, props.cell))
	const isCut = isCutCell(props.cell)

	const listId = createUniqueId()
	let frame!: HTMLDivElement
	const [height, setHeight] = createSignal(0)
	const place = () =>
		editorPlace(
			{
				left: props.left,
				top: props.top,
				width: Math.max(props.width, hasLines() ? 420 : leastWidth),
				height: height(),
			},
			props.visible,
		)

	function choiceFrom(typed: string): string | undefined {
		const begins = (choice: string) => choice.toLowerCase().startsWith(typed.toLowerCase())
		return choices?.find(choice => choice === typed) ?? choices?.find(begins)
	}

	/** Takes the first choice that begins with a text, or else with its last character: another word begins there. */
	function seek(typed: string): void {
		const last = typed.slice(-1)
		const sought = choiceFrom(typed) === undefined && choiceFrom(last) !== undefined ? last : typed
		const found = choiceFrom(sought)
		setSought(sought)
		setFault(
			found === undefined ? `no value: none begins with "${sought}". Backspace removes the last letter` : undefined,
		)
		if (found !== undefined) setText(found)
	}
	/** The user chooses by other means than typing. */
	function stopSeeking(): void {
		setSought('')
		setFault(undefined)
	}

	/** Returns what a key makes of the text that finds a choice; `undefined` if the key does something else. */
	function soughtAfter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string | undefined {
		if (choices === undefined || ctrlKey || metaKey || altKey) return undefined
		if (key === 'Backspace' && sought() !== '') return sought().slice(0, -1)
		// The space bar opens the list.
		return key.length === 1 && (key !== ' ' || sought() !== '') ? sought() + key : undefined
	}

	onMount(() => {
		props.ref(() => {
			if (fault() === undefined) return keep()
			field.focus()
			return false
		})
		const observer = new ResizeObserver(() => setHeight(frame.offsetHeight))
		observer.observe(frame)
		onCleanup(() => observer.disconnect())
		setHeight(frame.offsetHeight)
		field.focus()
		if (props.typed === undefined && choices === undefined) field.select()
		if (props.ends && keep()) props.onMove(props.ends)
	})

	function keep(isForAll = false): boolean {
		// The choice is not the one that was typed.
		if (choices && fault() !== undefined) return false
		if (!isForAll && text() === editText(kind, props.cell)) {
			props.onDone()
			return true
		}
		const read = readCell(props.column, props.cell, text())
		if ('fault' in read) {
			setFault(read.fault)
			return false
		}
		props.onDone(read.cell, isForAll)
		return true
	}

	function onKeyDown(event: KeyboardEvent): void {
		// Back and Forward of the window: leaving the cell keeps the text.
		if (event.altKey && /^Arrow(Left|Right)$/.test(event.key)) return
		event.stopPropagation()
		const typed = soughtAfter(event)
		if (typed !== undefined) {
			event.preventDefault()
			return seek(typed)
		}
		if (choices && /^(Arrow|Page|Home|End|F4| )/.test(event.key)) stopSeeking()
		const isLong = hasLines() && !(event.ctrlKey || event.metaKey)
		if (event.key === 'Escape') {
			event.preventDefault()
			props.onDone()
		} else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && props.selectedCount > 1) {
			event.preventDefault()
			keep(true)
		} else if (event.key === 'Enter' && !isLong) {
			event.preventDefault()
			if (keep()) props.onMove({ rows: 1, columns: 0 })
		} else if (event.key === 'Tab') {
			event.preventDefault()
			if (keep()) props.onMove({ rows: 0, columns: event.shiftKey ? -1 : 1 })
		}
	}

	const hint = () => {
		if (isCut) return 'This value was cut. Saving stores what you see here.'
		if (props.selectedCount > 1) return `Ctrl-Enter sets ${props.selectedCount} cells`
		if (kind === 'bytes') return `${props.column.type}, in hexadecimal digits`
		const words = kind === 'json' ? `${props.column.type}, as JSON` : props.column.type
		return hasLines() ? `${words}; Ctrl-Enter keeps it` : words
	}

	const change = (text: string) => {
		setText(text)
		stopSeeking()
	}

	return (
		// In its own row and cell, because a grid may contain nothing else.
		<div role="row">
			<div
				ref={frame}
				class={`cell-editor kind-${kind}`}
				role="gridcell"
				aria-rowindex={props.place.row + 2}
				aria-colindex={props.place.column + 1}
				style={{
					transform: `translate(${place().left}px, ${place().top}px)`,
					width: `${place().width}px`,
					'max-height': `${props.visible.bottom - props.visible.top}px`,
				}}
				onMouseDown={event => event.stopPropagation()}
				onDblClick={event => event.stopPropagation()}
				onFocusOut={event => {
					if (!event.currentTarget.contains(event.relatedTarget as Node | null) && fault() === undefined) keep()
				}}
			>
				<Switch>
					<Match when={kind === 'json'}>
						<textarea
							ref={field}
							rows={10}
							spellcheck={false}
							aria-label={`Edit ${props.column.name}`}
							aria-invalid={fault() !== undefined}
							value={text()}
							onInput={event => change(event.currentTarget.value)}
							onKeyDown={onKeyDown}
						/>
					</Match>
					<Match when={choices}>
						<select
							ref={field}
							aria-label={`Edit ${props.column.name}`}
							value={text()}
							onChange={event => change(event.currentTarget.value)}
							onPointerDown={stopSeeking}
							onKeyDown={onKeyDown}
						>
							<Show when={!isChoice(text())}>
								<option value={text()} disabled />
							</Show>
							<For each={choices}>{choice => <option value={choice}>{choice}</option>}</For>
						</select>
					</Match>
					<Match when={true}>
						<TextInput
							ref={field}
							list={useReferredList(props.column.name, listId)}
							inputmode={kind === 'number' ? 'decimal' : undefined}
							aria-label={`Edit ${props.column.name}`}
							aria-invalid={fault() !== undefined}
							value={text()}
							onText={change}
							onKeyDown={onKeyDown}
						/>
					</Match>
				</Switch>
				<ReferredList id={listId} column={props.column} typed={text()} />
				<div class="cell-editor-foot">
					<span class="cell-editor-hint" classList={{ fault: fault() !== undefined }}>
						<Show when={fault()} fallback={hint()}>
							{message => `This is ${message()}.`}
						</Show>
					</span>
					<Show when={!props.column.isNotNull}>
						<button
							type="button"
							class="button tiny"
							onMouseDown={event => event.preventDefault()}
							onClick={() => props.onDone(null)}
						>
							Set null
						</button>
					</Show>
				</div>
			</div>
		</div>
	)
}
