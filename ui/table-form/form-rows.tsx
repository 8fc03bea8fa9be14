import ArrowDown from 'lucide-solid/icons/arrow-down'
import ArrowUp from 'lucide-solid/icons/arrow-up'
import Check from 'lucide-solid/icons/check'
import Database from 'lucide-solid/icons/database'
import Fingerprint from 'lucide-solid/icons/fingerprint-pattern'
import KeyRound from 'lucide-solid/icons/key-round'
import Link from 'lucide-solid/icons/link'
import Plus from 'lucide-solid/icons/plus'
import Trash from 'lucide-solid/icons/trash'
import Undo from 'lucide-solid/icons/undo-2'
import { createUniqueId, For, Index, type JSX, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import type { DefinedColumn, TableDefinition } from '../../host/api/api.ts'
import { IconButton } from '../controls/icon-button.tsx'
import { KindIcon } from '../controls/kind-icon.tsx'
import { kindOfType } from '../controls/type-kind.ts'
import { pressedKeys } from '../words/keys.ts'
import {
	type ColumnRow,
	type Draft,
	indexColumns,
	type KeyRow,
	keyColumns,
	type RowState,
	referenceText,
	rowState,
} from './draft.ts'
import type { EditedTable, Part } from './edited-table.ts'

/** The rows of the form: columns, keys and indexes. */

const kindWords = { primary: 'primary', unique: 'unique', foreign: 'foreign', check: 'check' } as const

const kindIcons = { primary: KeyRound, unique: Fingerprint, foreign: Link, check: Check } as const

/** What the cells of a row are drawn from. */
interface Entry<P extends Part> {
	at(): number
	row(): Draft[P][number]
	/** As it was read. */
	old(): TableDefinition[P][number] | undefined
	/** How labels name it. */
	of(): string
	isDropped(): boolean
}

/** One list of rows below its heading, with a button that adds one. */
function Rows<P extends Part>(props: {
	readonly table: EditedTable
	readonly part: P
	readonly title: string
	/** What the button adds: `Column`. */
	readonly one: string
	readonly heads: readonly string[]
	/** What the list is for, shown while it has no row. */
	readonly purpose: string
	readonly children: (entry: Entry<P>) => JSX.Element
}): JSX.Element {
	let body!: HTMLTableSectionElement
	const rows = (): readonly Draft[P][number][] => props.table.draft()[props.part]
	const before = (): readonly TableDefinition[P][number][] => props.table.before?.[props.part] ?? []
	const focus = (at: number, field = 0) => body.rows[at]?.querySelectorAll<HTMLElement>('input, select')[field]?.focus()
	/** Waits until the row is drawn. */
	const focusOnceDrawn = (at: number) => queueMicrotask(() => focus(at))
	const add = (behind?: number) => focusOnceDrawn(props.table.add(props.part, behind))
	function onKeyDown(event: KeyboardEvent): void {
		const { target } = event
		if (!(target instanceof HTMLElement)) return
		const row = target.closest('tr')
		const at = row ? row.sectionRowIndex : -1
		if (at < 0 || !row) return
		const field = [...row.querySelectorAll('input, select')].indexOf(target)
		const step = { ArrowUp: -1, ArrowDown: 1, 'Alt+ArrowUp': -1, 'Alt+ArrowDown': 1 }[pressedKeys(event) ?? '']
		const keys = pressedKeys(event)
		if (keys === 'Mod+Enter') add(at)
		else if (keys === 'Mod+Delete' || keys === 'Mod+Backspace') {
			props.table.toggleDropped(props.part, at)
			queueMicrotask(() => focus(Math.min(at, rows().length - 1), Math.max(0, field)))
		} else if (step !== undefined && event.altKey) {
			const by = step === 1 ? 1 : -1
			if (props.part === 'columns' && props.table.canMove(at, by)) {
				props.table.move(at, by)
				queueMicrotask(() => focus(at + by, field))
			}
		} else if (step !== undefined && target instanceof HTMLInputElement && target.list === null) focus(at + step, field)
		else return
		event.preventDefault()
		event.stopPropagation()
	}
	return (
		<section aria-label={props.title}>
			<header class="form-part-head">
				<h3>{props.title}</h3>
				<span class="quiet">{rows().length}</span>
				<span class="grow" />
				<button type="button" class="button small" onClick={() => add()}>
					<Plus size={12} />
					{props.one}
				</button>
			</header>
			<table class={`form-rows form-${props.part}`}>
				<thead>
					<tr>
						<th scope="col">
							<span class="unseen">State</span>
						</th>
						<For each={props.heads}>{head => <th scope="col">{head}</th>}</For>
						<th scope="col">
							<span class="unseen">Actions</span>
						</th>
					</tr>
				</thead>
				<tbody ref={body} onKeyDown={onKeyDown}>
					{/* A row stays the same element while its texts change, so that it keeps the focus. */}
					<Index each={rows()}>
						{(row, at) => {
							const old = () => before().find(({ id }) => id === row().id)
							return (
								<Row table={props.table} part={props.part} at={at} name={row().name} state={rowState(row(), old())}>
									{props.children({
										at: () => at,
										row,
										old,
										of: () => row().name || `the new ${props.one.toLowerCase()}`,
										isDropped: () => row().isDropped === true,
									})}
								</Row>
							)
						}}
					</Index>
				</tbody>
			</table>
			<Show when={rows().length === 0}>
				<p class="form-purpose quiet">{props.purpose}</p>
			</Show>
		</section>
	)
}

/** A row with the mark of its state, and what drops it. */
function Row(props: {
	readonly table: EditedTable
	readonly part: Part
	readonly at: number
	readonly name: string
	readonly state: RowState
	readonly children: JSX.Element
}): JSX.Element {
	const what = () => props.name || 'the new row'
	const canMove = (by: 1 | -1) => props.part === 'columns' && props.table.canMove(props.at, by)
	const mark = { new: '+', changed: '', dropped: '−' } as const
	return (
		<tr
			classList={{
				'row-new': props.state === 'new',
				'row-changed': props.state === 'changed',
				'row-dropped': props.state === 'dropped',
			}}
		>
			<td class="form-mark">
				<Show when={props.state}>
					{state => (
						<span title={state()}>
							<span aria-hidden="true">{mark[state()]}</span>
							<span class="unseen">{state()}</span>
						</span>
					)}
				</Show>
			</td>
			{props.children}
			<td class="form-actions-cell">
				<Show when={canMove(-1)}>
					<IconButton label={`Move ${what()} up`} isSmall isOnHover onClick={() => props.table.move(props.at, -1)}>
						<ArrowUp size={13} />
					</IconButton>
				</Show>
				<Show when={canMove(1)}>
					<IconButton label={`Move ${what()} down`} isSmall isOnHover onClick={() => props.table.move(props.at, 1)}>
						<ArrowDown size={13} />
					</IconButton>
				</Show>
				<IconButton
					label={`${props.state === 'dropped' ? 'Keep' : 'Drop'} ${what()}`}
					isSmall
					isOnHover
					onClick={() => props.table.toggleDropped(props.part, props.at)}
				>
					<Show when={props.state === 'dropped'} fallback={<Trash size={13} />}>
						<Undo size={13} />
					</Show>
				</IconButton>
			</td>
		</tr>
	)
}

/** A text of a row. The old one stands beside a new one. */
function TextCell(props: {
	readonly label: string
	readonly value: string
	/** As it was read. */
	readonly old?: string | undefined
	readonly placeholder?: string
	readonly list?: string
	readonly isCode?: boolean
	/** It has the room of the next column, which says nothing in its row. */
	readonly isWide?: boolean
	readonly isDropped: boolean
	readonly icon?: JSX.Element
	onText(text: string): void
}): JSX.Element {
	const isChanged = () => props.old !== undefined && props.old !== props.value && !props.isDropped
	return (
		<td colspan={props.isWide ? 2 : undefined} classList={{ 'form-changed': isChanged(), 'form-code': props.isCode }}>
			<span class="form-cell">
				{props.icon}
				<Show when={isChanged() && props.old !== '' ? props.old : undefined}>
					{old => <del title={old()}>{old()}</del>}
				</Show>
				<input
					type="text"
					autocomplete="off"
					spellcheck={false}
					aria-label={props.label}
					placeholder={props.placeholder}
					list={props.list}
					disabled={props.isDropped}
					title={props.value}
					value={props.value}
					onInput={event => props.onText(event.currentTarget.value)}
				/>
			</span>
		</td>
	)
}

/** A text of a column as it was read, which is empty if there was none. */
const textOf = (column: DefinedColumn | undefined, text: 'default' | 'comment') =>
	column === undefined ? undefined : (column[text] ?? '')

export function ColumnRows(props: { readonly table: EditedTable }): JSX.Element {
	const { table } = props
	const id = createUniqueId()
	const [types, defaults] = [`${id}-types`, `${id}-defaults`]
	const keyOf = (column: ColumnRow, kind: KeyRow['kind']) =>
		table.draft().keys.some(key => key.kind === kind && !key.isDropped && key.columns.includes(column.id))
	return (
		<>
			<datalist id={types}>
				<For each={table.form.types}>{type => <option value={type} />}</For>
			</datalist>
			<datalist id={defaults}>
				<For each={table.form.defaults}>{value => <option value={value} />}</For>
			</datalist>
			<Rows
				table={table}
				part="columns"
				title="Columns"
				one="Column"
				heads={['Name', 'Type', 'Not null', 'Default', 'Comment']}
				purpose="No columns yet."
			>
				{({ at, row, old, of, isDropped }) => {
					const set = (change: Partial<ColumnRow>) => table.setColumn(at(), change)
					return (
						<>
							<TextCell
								label={`Name of ${of()}`}
								value={row().name}
								old={old()?.name}
								isDropped={isDropped()}
								icon={
									<Show
										when={keyOf(row(), 'primary')}
										fallback={
											<Show
												when={keyOf(row(), 'foreign')}
												fallback={<KindIcon column={{ kind: kindOfType(row().type), isSortable: true }} />}
											>
												<Link size={12} />
											</Show>
										}
									>
										<KeyRound size={12} />
									</Show>
								}
								onText={name => set({ name })}
							/>
							<TextCell
								label={`Type of ${of()}`}
								value={row().type}
								old={old()?.type}
								list={types}
								isCode
								isDropped={isDropped()}
								onText={type => set({ type })}
							/>
							<td class="form-check">
								<input
									type="checkbox"
									aria-label={`${of()} is not null`}
									disabled={isDropped()}
									checked={row().isNotNull}
									onChange={event => set({ isNotNull: event.currentTarget.checked })}
								/>
							</td>
							<TextCell
								label={`Default of ${of()}`}
								value={row().default ?? ''}
								old={textOf(old(), 'default')}
								placeholder="none"
								list={defaults}
								isCode
								isDropped={isDropped()}
								onText={text => set({ default: text })}
							/>
							<TextCell
								label={`Comment of ${of()}`}
								value={row().comment ?? ''}
								old={textOf(old(), 'comment')}
								isDropped={isDropped()}
								onText={comment => set({ comment })}
							/>
						</>
					)
				}}
			</Rows>
		</>
	)
}

export function KeyRows(props: { readonly table: EditedTable }): JSX.Element {
	const { table } = props
	const rule = () => table.form.rules[0] ?? ''
	const id = createUniqueId()
	const [names, targets] = [`${id}-names`, `${id}-targets`]
	return (
		<>
			<datalist id={names}>
				<For each={table.columnNames()}>{name => <option value={name} />}</For>
			</datalist>
			<datalist id={targets}>
				<For each={table.tableNames()}>{name => <option value={`${name} (id)`} />}</For>
			</datalist>
			<Rows
				table={table}
				part="keys"
				title="Keys"
				one="Key"
				heads={['Name', 'Kind', 'Columns', 'Points to, on delete']}
				purpose="No keys yet. A primary key tells rows apart. A foreign key points to another table."
			>
				{({ at, row, old, of, isDropped }) => {
					const set = (change: Partial<KeyRow>) => table.setKey(at(), change)
					const noReference = () => ({ table: '', columns: [], onDelete: rule(), onUpdate: rule() })
					const setRule = (change: Partial<NonNullable<KeyRow['references']>>) =>
						set({ references: { ...(row().references ?? noReference()), ...change } })
					const setKind = (kind: KeyRow['kind']) =>
						set({ kind, ...(kind === 'foreign' && { references: row().references ?? noReference() }) })
					return (
						<>
							<TextCell
								label={`Name of ${of()}`}
								value={row().name}
								old={old()?.name}
								placeholder="named by the server"
								isDropped={isDropped()}
								icon={<Dynamic component={kindIcons[row().kind]} size={12} />}
								onText={name => set({ name })}
							/>
							<td>
								<Show when={!old()} fallback={<span class="form-fixed">{kindWords[row().kind]}</span>}>
									<select
										aria-label={`Kind of ${of()}`}
										value={row().kind}
										// The list has kinds alone.
										onChange={event => setKind(event.currentTarget.value as KeyRow['kind'])}
									>
										<For each={table.form.keys}>{kind => <option value={kind}>{kindWords[kind]}</option>}</For>
									</select>
								</Show>
							</td>
							<Show
								when={row().kind === 'check'}
								fallback={
									<>
										<TextCell
											label={`Columns of ${of()}`}
											value={keyColumns(row(), table.draft())}
											placeholder="a, b"
											list={names}
											isCode
											isDropped={isDropped()}
											onText={typed => set({ typed })}
										/>
										<td>
											<Show when={row().kind === 'foreign'}>
												<span class="form-cell">
													<input
														type="text"
														class="form-reference"
														autocomplete="off"
														spellcheck={false}
														aria-label={`${of()} points to`}
														placeholder="customers (id)"
														list={targets}
														disabled={isDropped()}
														value={referenceText(row())}
														onInput={event => set({ typedReference: event.currentTarget.value })}
													/>
													<select
														aria-label={`${of()} on delete`}
														title="On delete"
														disabled={isDropped()}
														value={row().references?.onDelete ?? rule()}
														onChange={event => setRule({ onDelete: event.currentTarget.value })}
													>
														<For each={table.form.rules}>{rule => <option value={rule}>{rule}</option>}</For>
													</select>
												</span>
											</Show>
										</td>
									</>
								}
							>
								<TextCell
									label={`Expression of ${of()}`}
									value={row().expression ?? ''}
									old={old()?.expression}
									placeholder="total >= 0"
									isCode
									isWide
									isDropped={isDropped()}
									onText={expression => set({ expression })}
								/>
							</Show>
						</>
					)
				}}
			</Rows>
		</>
	)
}

export function IndexRows(props: { readonly table: EditedTable }): JSX.Element {
	const { table } = props
	return (
		<Rows
			table={table}
			part="indexes"
			title="Indexes"
			one="Index"
			heads={['Name', 'Method', 'Unique', 'Columns']}
			purpose="No indexes yet. An index finds rows by its columns fast."
		>
			{({ at, row, old, of, isDropped }) => (
				<>
					<TextCell
						label={`Name of ${of()}`}
						value={row().name}
						old={old()?.name}
						placeholder="named by the server"
						isDropped={isDropped()}
						icon={<Database size={12} />}
						onText={name => table.setIndex(at(), { name })}
					/>
					<td>
						<select
							aria-label={`Method of ${of()}`}
							disabled={isDropped()}
							value={row().method}
							onChange={event => table.setIndex(at(), { method: event.currentTarget.value })}
						>
							<For each={table.form.methods}>{method => <option value={method}>{method}</option>}</For>
						</select>
					</td>
					<td class="form-check">
						<input
							type="checkbox"
							aria-label={`${of()} is unique`}
							disabled={isDropped()}
							checked={row().isUnique}
							onChange={event => table.setIndex(at(), { isUnique: event.currentTarget.checked })}
						/>
					</td>
					<TextCell
						label={`Columns of ${of()}`}
						value={indexColumns(row(), table.draft())}
						placeholder="a, b desc"
						isCode
						isDropped={isDropped()}
						onText={typed => table.setIndex(at(), { typed })}
					/>
				</>
			)}
		</Rows>
	)
}
