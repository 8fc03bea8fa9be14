import { fromCell, missingCell } from '@roundhouse/kit/cell'
import { newValue, readJsonValue } from '@roundhouse/kit/cell-input'
import type { JsonObject } from '@roundhouse/kit/json'
import { createMemo, createSignal, createUniqueId, For, type JSX, Show } from 'solid-js'
import type { Cell, Column } from '../../../host/api/api.ts'
import { copyText, isSameCell } from '../../cells/cell-text.ts'
import { valueAt, withNestedValue } from '../../cells/value-at.ts'
import { TextInput } from '../../controls/text-input.tsx'
import { useEngine } from '../../state/engine.tsx'
import { count, counted, oneOf } from '../../words/format.ts'
import { choicesOf, editorKind, readCell } from './cell-input.ts'
import { isRequired } from './needed-values.ts'
import { ReferredList, useReferredList } from './referred-rows.tsx'

/** Laying out more fields at once would block the window; others are found by name. */
const mostShown = 100

/** A null of JSON, which is a value. */
export const jsonNull: Cell = { json: 'null' }

/** A new row by fields: an empty field is left out. Invalid input stays for correction. */
export function InsertFields(props: {
	readonly columns: readonly Column[]
	readonly document: JsonObject
	/** The columns whose `null` in the document is a null of JSON. */
	readonly jsonNulls: ReadonlySet<string>
	onChange(document: JsonObject, jsonNulls: Set<string>): void
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

	function cellOf({ name, kind }: Column): Cell {
		const value = valueAt(props.document, name)
		if (value === undefined) return missingCell
		if (value === null && props.jsonNulls.has(name)) return jsonNull
		const read = readJsonValue(kind, value)
		return 'fault' in read ? newValue(value) : read.cell
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
		const nulls = new Set(props.jsonNulls)
		if (isSameCell(typed.cell, jsonNull)) nulls.add(name)
		else nulls.delete(name)
		props.onChange(withNestedValue(props.document, name, fromCell(typed.cell)), nulls)
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
	// From here on the field owns the text.
	const initial = props.faulty?.text ?? copyText(props.cell)
	const [text, setText] = createSignal(initial)
	const choices = choicesOf(column, kind, initial)
	const isNeeded = isRequired(column)
	const ifEmpty = column.default === undefined ? column.type : `${column.type}, default ${column.default}`
	const [typed, setTyped] = createSignal<string>()
	return (
		<div class="field">
			<label for={id}>{column.name}</label>
			<Show
				when={choices}
				fallback={
					<TextInput
						id={id}
						inputmode={kind === 'number' ? 'decimal' : undefined}
						placeholder={ifEmpty}
						required={isNeeded}
						data-autofocus={props.startsHere ? '' : undefined}
						aria-invalid={props.faulty !== undefined}
						value={text()}
						list={useReferredList(column.name, `${id}-rows`)}
						onFocus={() => setTyped(text())}
						onBlur={() => setTyped(undefined)}
						onText={text => {
							setText(text)
							setTyped(text)
							props.onChange(text)
						}}
					/>
				}
			>
				{listed => (
					<select
						id={id}
						required={isNeeded}
						data-autofocus={props.startsHere ? '' : undefined}
						value={initial}
						onChange={event => props.onChange(event.currentTarget.value)}
					>
						<option value="">{isNeeded ? 'Choose …' : (column.default ?? 'Left out')}</option>
						<For each={listed()}>
							{choice => (
								// The value of the select is set before it has options.
								<option value={choice} selected={choice === initial}>
									{choice}
								</option>
							)}
						</For>
					</select>
				)}
			</Show>
			<ReferredList id={`${id}-rows`} column={column} typed={typed()} />
			<Show when={props.faulty}>{faulty => <p class="field-help fault">This is {faulty().fault}.</p>}</Show>
		</div>
	)
}
