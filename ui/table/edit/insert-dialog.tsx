import { readJsonValue } from '@roundhouse/kit/cell-input'
import { isJsonObject, type Json, parseJson, stringifyJson } from '@roundhouse/kit/json'
import { createMemo, createSignal, createUniqueId, For, type JSX, Show } from 'solid-js'
import type { Cell, Column } from '../../../host/api/api.ts'
import { valueAt } from '../../cells/value-at.ts'
import { Dialog } from '../../controls/dialog.tsx'
import { Notice } from '../../controls/notice.tsx'
import { useEngine } from '../../state/engine.tsx'
import { usePreferences } from '../../state/host.tsx'
import { capital } from '../../words/format.ts'
import { messageOf } from '../../words/message-of.ts'
import { readCell } from './cell-input.ts'
import { InsertFields, jsonNull } from './insert-fields.tsx'
import { isGeneratedKey, isRequired } from './needed-values.ts'
import { ReferredList, useReferredList } from './referred-rows.tsx'

/** The form that the user chose last. */
const byFieldKey = 'insert/by-field'

/** What the form begins with. */
export interface Draft {
	readonly keys: Readonly<Record<string, string>>
	readonly text: string
	/** The columns whose `null` in the text is a null of JSON, and not the engine's. */
	readonly jsonNulls: readonly string[]
}

/** Whether the engine says what a new row needs here. */
const isDefined = ({ isRequired, default: fallback }: Column) => isRequired === true || fallback !== undefined

const empty: Draft = { keys: {}, text: '{\n\t\n}', jsonNulls: [] }

/** A new row, by fields or as JSON, with separate fields for its key. It is staged like every other change. */
export function InsertDialog(props: {
	readonly columns: readonly Column[]
	/** Values of another row. */
	readonly draft: Draft | undefined
	onInsert(values: Record<string, Cell>): void
	onClose(): void
}): JSX.Element {
	const { rowNoun, columnNoun, rowKey } = useEngine()
	const id = createUniqueId()
	const keys = () => props.columns.filter(({ isKey, isReadOnly }) => isKey && isReadOnly !== true)
	const before = props.draft ?? empty
	const [typedKeys, setTypedKeys] = createSignal(before.keys)
	const [text, setText] = createSignal(before.text)
	const [jsonNulls, setJsonNulls] = createSignal(new Set(before.jsonNulls))
	const [fault, setFault] = createSignal<string>()
	/** The key field that had the focus last. */
	const [focused, setFocused] = createSignal<string>()
	const preferences = usePreferences()
	const [isByField, setByField] = createSignal(
		preferences.get(byFieldKey) === true ||
			(preferences.get(byFieldKey) === undefined && props.columns.some(isDefined)),
	)
	const [misread, setMisread] = createSignal<readonly string[]>([])
	const isChanged = () => text() !== before.text || typedKeys() !== before.keys || misread().length > 0
	/** Returns the row in the text; undefined if it is no row. */
	const read = createMemo(() => {
		try {
			const row = parseJson(text())
			return isJsonObject(row) ? row : undefined
		} catch {
			return undefined
		}
	})

	function choose(isByField: boolean): void {
		const [first] = misread()
		if (first !== undefined) return void setFault(`${first} is not valid. Correct it first.`)
		if (isByField && !read()) return void setFault('The text is not a JSON object: { … }. Correct it first.')
		setFault(undefined)
		setByField(isByField)
		preferences.set(byFieldKey, isByField)
	}

	/** Whether the engine makes the value of a key that is left empty. */
	const isGenerated = (column: Column) => isGeneratedKey(column, rowKey)
	const fields = () => props.columns.filter(({ isKey, isReadOnly }) => !isKey && isReadOnly !== true)

	/** Returns the typed key; nothing if the engine generates it. */
	function keyCells(column: Column): readonly (readonly [string, Cell])[] {
		const typed = (typedKeys()[column.name] ?? '').trim()
		if (typed === '') {
			if (!isGenerated(column)) throw new SyntaxError(`${column.name} is required.`)
			return []
		}
		const read = readCell(column, null, typed)
		if ('fault' in read) throw new SyntaxError(`${column.name} is ${read.fault}.`)
		return [[column.name, read.cell]]
	}

	function valueIn(name: string, value: Json): Cell {
		if (value === null && jsonNulls().has(name)) return jsonNull
		const kind = props.columns.find(column => column.name === name)?.kind ?? 'other'
		const read = readJsonValue(kind, value)
		if ('fault' in read) throw new SyntaxError(`${name} is ${read.fault}.`)
		return read.cell
	}

	function stage(event: Event): void {
		event.preventDefault()
		try {
			const [first] = misread()
			if (first !== undefined) throw new SyntaxError(`${first} cannot be read.`)
			const row = parseJson(text())
			if (!isJsonObject(row)) throw new SyntaxError('A new row is an object: { … }')
			const missing = fields().find(column => isRequired(column) && valueAt(row, column.name) === undefined)
			if (missing) throw new SyntaxError(`${missing.name} is required.`)
			const values = Object.entries(row).map(([name, value]) => [name, valueIn(name, value)] as const)
			props.onInsert(Object.fromEntries([...keys().flatMap(keyCells), ...values]))
			props.onClose()
		} catch (error) {
			setFault(messageOf(error))
		}
	}

	const KeyFields = () => (
		<For each={keys()}>
			{(column, index) => (
				<div class="field">
					<label for={`${id}-${column.name}`}>{column.name}</label>
					<input
						id={`${id}-${column.name}`}
						autocomplete="off"
						spellcheck={false}
						placeholder={isGenerated(column) ? 'If empty, the engine generates one' : column.type}
						required={!isGenerated(column)}
						value={typedKeys()[column.name] ?? ''}
						data-autofocus={index() === 0 ? '' : undefined}
						list={useReferredList(column.name, `${id}-${column.name}-rows`)}
						onFocus={() => setFocused(column.name)}
						onInput={event => {
							const { value } = event.currentTarget
							setTypedKeys(typed => ({ ...typed, [column.name]: value }))
							setFault(undefined)
						}}
					/>
					<ReferredList
						id={`${id}-${column.name}-rows`}
						column={column}
						typed={focused() === column.name ? (typedKeys()[column.name] ?? '') : undefined}
					/>
				</div>
			)}
		</For>
	)

	return (
		<Dialog title={`New ${rowNoun.one}`} size="wide" isHeld={isChanged()} onClose={props.onClose}>
			<form class="form" onSubmit={stage} novalidate>
				<div class="dialog-body">
					<Show
						when={isByField() && read()}
						fallback={
							<>
								<KeyFields />
								<textarea
									class="json-editor"
									aria-label={`${capital(rowNoun.one)} as JSON`}
									rows={14}
									spellcheck={false}
									value={text()}
									onInput={event => {
										setText(event.currentTarget.value)
										setFault(undefined)
									}}
								/>
							</>
						}
					>
						{document => (
							<InsertFields
								columns={fields()}
								document={document()}
								jsonNulls={jsonNulls()}
								onChange={(row, nulls) => {
									setText(stringifyJson(row, 2))
									setJsonNulls(nulls)
									setFault(undefined)
								}}
								onFaults={setMisread}
								startsHere={keys().length === 0}
							>
								<KeyFields />
							</InsertFields>
						)}
					</Show>
					<Show when={fault()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
				</div>
				<footer class="dialog-foot">
					<div class="segmented" role="radiogroup" aria-label="Input as">
						<For each={[true, false]}>
							{byField => (
								<label class="segment" classList={{ active: isByField() === byField }}>
									<input
										type="radio"
										name={`${id}-how`}
										checked={isByField() === byField}
										onChange={() => choose(byField)}
									/>
									{byField ? `By ${columnNoun.one}` : 'As JSON'}
								</label>
							)}
						</For>
					</div>
					<span class="grow" />
					<button type="button" class="button" onClick={() => props.onClose()}>
						Cancel
					</button>
					<button type="submit" class="button primary">
						Add
					</button>
				</footer>
			</form>
		</Dialog>
	)
}
