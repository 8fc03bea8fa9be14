import { fromCell, missingCell } from '@roundhouse/kit/cell'
import type { JsonObject } from '@roundhouse/kit/json'
import { createMemo, createSignal, createUniqueId, For, type JSX, Show } from 'solid-js'
import type { Cell, Column } from '../../../host/api/api.ts'
import { copyText } from '../../cells/cell-text.ts'
import { valueAt, withNestedValue } from '../../cells/value-at.ts'
import { useEngine } from '../../state/engine.tsx'
import { count, counted, oneOf } from '../../words/format.ts'
import { choicesOf, editorKind, newValue, readCell } from './cell-input.ts'

/** Laying out more fields at once would block the window; others are found by name. */
const mostShown = 100

/** A new row by fields: an empty field is left out. Invalid input stays for correction. */
export function InsertFields(props: {
	readonly columns: readonly Column[]
	readonly document: JsonObject
	onChange(document: JsonObject): void
	/** Columns with invalid text. */
	onFaults(names: readonly string[]): void
	/** The focus begins on the first field. */
	readonly startsHere: boolean
	/** Fields that come first. */
	readonly children: JSX.Element
}): JSX.Element {
	const { columnNoun } = useEngine()
	const [search, setSearch] = createSignal('')
	/** Invalid text by column name. */
	const [faults, setFaults] = createSignal<ReadonlyMap<string, Faulty>>(new Map())
	const found = createMemo(() => {
		const words = search().toLowerCase()
		return props.columns.filter(({ name }) => name.toLowerCase().includes(words))
	})

	function cellOf({ name }: Column): Cell {
		const value = valueAt(props.document, name)
		return value === undefined ? missingCell : newValue(value)
	}

	function setFault(name: string, fault?: Faulty): void {
		const next = new Map(faults())
		if (fault === undefined) next.delete(name)
		else next.set(name, fault)
		setFaults(next)
		props.onFaults([...next.keys()])
	}

	function change(column: Column, text: string): void {
		const { name } = column
		const typed = text === '' ? { cell: missingCell } : readCell(column, cellOf(column), text)
		if ('fault' in typed) return setFault(name, { text, fault: typed.fault })
		setFault(name)
		props.onChange(withNestedValue(props.document, name, fromCell(typed.cell)))
	}

	return (
		<>
			<Show when={props.columns.length > 12}>
				<input
					type="search"
					aria-label={`Find ${oneOf(columnNoun)}`}
					placeholder={`Find among ${counted(props.columns.length, columnNoun)}`}
					value={search()}
					onInput={event => setSearch(event.currentTarget.value)}
				/>
			</Show>
			{props.children}
			<div class="insert-fields">
				<For each={found().slice(0, mostShown)} fallback={<p class="quiet">No {columnNoun.one} has this name.</p>}>
					{(column, index) => (
						<Field
							column={column}
							cell={cellOf(column)}
							faulty={faults().get(column.name)}
							startsHere={props.startsHere && index() === 0}
							onChange={text => change(column, text)}
						/>
					)}
				</For>
			</div>
			<Show when={found().length > mostShown}>
				<p class="hint">
					{count(found().length - mostShown)} more {columnNoun.many} are found by their name.
				</p>
			</Show>
		</>
	)
}

/** Whether a new row needs a value for a column, because the engine makes none. */
export function isRequired({ isRequired, default: byDefault, generated }: Column): boolean {
	return isRequired === true && byDefault === undefined && generated === undefined
}

interface Faulty {
	readonly text: string
	readonly fault: string
}

function Field(props: {
	readonly column: Column
	readonly cell: Cell
	readonly faulty: Faulty | undefined
	readonly startsHere: boolean
	onChange(text: string): void
}): JSX.Element {
	const id = createUniqueId()
	const { column } = props
	const kind = editorKind(column, props.cell)
	// From here on the input element owns the text.
	const text = props.faulty?.text ?? copyText(props.cell)
	const choices = choicesOf(column, kind, text)
	const isNeeded = isRequired(column)
	const ifEmpty = column.default === undefined ? column.type : `${column.type}, default ${column.default}`
	return (
		<div class="field">
			<label for={id}>{column.name}</label>
			<Show
				when={choices}
				fallback={
					<input
						id={id}
						autocomplete="off"
						spellcheck={false}
						inputmode={kind === 'number' ? 'decimal' : undefined}
						placeholder={ifEmpty}
						required={isNeeded}
						data-autofocus={props.startsHere ? '' : undefined}
						aria-invalid={props.faulty !== undefined}
						value={text}
						onInput={event => props.onChange(event.currentTarget.value)}
					/>
				}
			>
				{listed => (
					<select
						id={id}
						required={isNeeded}
						data-autofocus={props.startsHere ? '' : undefined}
						value={text}
						onChange={event => props.onChange(event.currentTarget.value)}
					>
						<option value="">{isNeeded ? 'Choose …' : 'Left out'}</option>
						<For each={listed()}>
							{choice => (
								// The value of the select is set before it has options.
								<option value={choice} selected={choice === text}>
									{choice}
								</option>
							)}
						</For>
					</select>
				)}
			</Show>
			<Show when={props.faulty}>{faulty => <p class="field-help fault">This is {faulty().fault}.</p>}</Show>
		</div>
	)
}
