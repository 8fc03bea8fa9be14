import { createVirtualizer } from '@tanstack/solid-virtual'
import Copy from 'lucide-solid/icons/copy'
import Layers from 'lucide-solid/icons/layers'
import Table2 from 'lucide-solid/icons/table-2'
import { createEffect, createMemo, createSignal, For, type JSX, Match, on, Show, Switch } from 'solid-js'
import type { DatabaseObject, FoundTable, Table } from '../../host/api/api.ts'
import { type MenuEntry, WithMenu } from '../controls/context-menu.tsx'
import { copyText } from '../controls/copy-button.tsx'
import { createLookUp } from '../controls/look-up.ts'
import { SearchField } from '../controls/search-field.tsx'
import { listHeight } from '../state/appearance.ts'
import type { OpenConnection } from '../state/connections.ts'
import { useHost, useRecords } from '../state/host.tsx'
import { createKeptSet } from '../state/kept-set.ts'
import type { TabTarget } from '../state/tab.ts'
import { counted } from '../words/format.ts'
import { createListKeys } from './list-keys.ts'
import { LevelLine, NameText, ObjectName, PartLine, TableName, titleOf } from './list-lines.tsx'
import { listedWith, type TableLine, tableLines, textOfPart } from './table-lines.ts'
import { createTableParts } from './table-parts.ts'
import { createTableSeries } from './table-series.ts'

/** More tables than these, in several levels, begin folded: a user looks for a level first. */
const mostUnfolded = 100

/** Returns the ids of the levels that are closed before the user has closed or opened one. */
function foldedAtFirst(tables: readonly Table[]): string[] {
	const levels = new Set(tables.map(({ path = [] }) => JSON.stringify(path)))
	return tables.length > mostUnfolded && levels.size > 1 ? [...levels].filter(id => id !== '[]') : []
}

/** The tables of the open connection: searchable, and virtual, because there may be thousands. */
export function TableList(props: {
	readonly connection: OpenConnection
	/** What the active tab shows. */
	readonly activeTab: TabTarget | undefined
	/** Actions for a table. */
	menu(table: string): readonly (MenuEntry | 'line')[]
	/** Asks whether a table is removed. */
	onRemove(table: string): void
	/** Actions for a level that may contain tables, by its path. */
	levelMenu(path: readonly string[]): readonly (MenuEntry | 'line')[]
	/** Actions for an object beside tables. */
	objectMenu(object: DatabaseObject): readonly (MenuEntry | 'line')[]
	/** Returns the number of unsaved changes of a table, in all of its tabs. */
	staged(table: string): number
	onOpen(table: string): void
	onOpenFound(table: FoundTable): void
	onOpenObject(object: string): void
	/** Finds names beyond the list that open as a table. */
	onFind(text: string): Promise<readonly FoundTable[]>
	/** Its connection is not the active one: the list has its lines alone. */
	readonly isBeside: boolean
	/** The list is read again, and shown as it was until then. */
	readonly isReloading: boolean
}): JSX.Element {
	let list!: HTMLDivElement
	let field!: HTMLInputElement
	let scroller!: HTMLDivElement
	/** Whether the active tab shows this connection's table or object of that name. */
	function isActive(kind: 'table' | 'object', name: string): boolean {
		const place = props.activeTab
		if (place?.connection !== props.connection.id || place.kind !== kind) return false
		return (place.kind === 'table' ? place.table : place.object) === name
	}
	const [search, setSearch] = createSignal('')
	const found = createLookUp(
		search,
		text => props.onFind(text),
		() => props.connection.tables,
	)
	/** The levels that the user has closed or, if they are folders of objects, opened. A search opens all. */
	const folded = foldedAtFirst(props.connection.tables)
	const toggled = createKeptSet(useRecords(), `folds/${props.connection.id}/tables`, folded)
	const parts = createTableParts(useHost(), {
		connection: props.connection.id,
		listed: () => props.connection.tables,
	})
	const series = createTableSeries(
		() => props.connection.tables,
		text => props.onFind(text),
	)
	const listed = createMemo(() => ({
		tables: series.around(props.connection.tables),
		objects: props.connection.objects,
	}))
	function open(name: string): void {
		const pattern = series.of(name)
		if (pattern) props.onOpenFound(pattern)
		else props.onOpen(name)
	}
	const shown = createMemo(() =>
		tableLines(listedWith(search(), listed()), {
			isOpen: (id, isFolder) => search() !== '' || toggled.has(id) === isFolder,
			// The tables of a series are listed until the user folds it.
			parts: name => (series.of(name) ? (parts.of(name) ? undefined : []) : parts.of(name)),
			showsPartitions: search() !== '',
		}),
	)
	const lines = createVirtualizer<HTMLDivElement, HTMLElement>({
		get count() {
			return shown().length
		},
		getScrollElement: () => scroller,
		estimateSize: listHeight,
		overscan: 10,
	})
	createEffect(on(listHeight, () => lines.measure(), { defer: true }))
	/** Numbers, so that the elements of lines stay when the list is reloaded. */
	const drawn = createMemo(() => lines.getVirtualItems().map(({ index }) => index))
	const keys = createListKeys({
		count: () => shown().length,
		textAt: index => textOf(shown()[index]),
		keyAt: index => keyOf(shown()[index]),
		pageSize: () => Math.max(1, Math.floor(scroller.clientHeight / listHeight()) - 1),
		drawn,
		reveal: index => lines.scrollToIndex(index),
		elementAt: index => scroller.querySelector(`[data-line="${index}"]`),
	})
	/** A tab that comes to the front shows its line, unless the user searches or has closed its level. */
	createEffect(
		on(
			() => props.activeTab,
			tab => {
				if (search() !== '') return
				if (tab?.kind === 'table' && tab.connection === props.connection.id) unfoldFirst(tab.table)
				const index = shown().findIndex(
					line =>
						(line.kind === 'table' && isActive('table', line.table.name)) ||
						(line.kind === 'object' && isActive('object', line.object.name)),
				)
				// After the lines of a level that has just been unfolded are drawn.
				if (index >= 0) queueMicrotask(() => lines.scrollToIndex(index))
			},
			{ defer: true },
		),
	)
	/** Shows the level of a table that the user has not closed. */
	function unfoldFirst(table: string): void {
		const id = JSON.stringify(props.connection.table(table)?.path ?? [])
		const at = folded.indexOf(id)
		if (at < 0) return
		folded.splice(at, 1)
		if (toggled.has(id)) toggled.toggle(id)
	}
	/** The arrows open and close the levels, as in a tree. */
	function onKeyDown(event: KeyboardEvent & { readonly currentTarget: Element }): void {
		// Keys in the menu of a table arrive here too, although the menu is elsewhere in the page.
		if (!(event.target instanceof Node) || !event.currentTarget.contains(event.target)) return
		const line = shown()[Number((event.target as HTMLElement).dataset.line)]
		const toggles = { ArrowRight: false, ArrowLeft: true }[event.key]
		if (line?.kind === 'level' && toggles === line.isOpen) toggled.toggle(line.id)
		else if (line?.kind === 'table' && toggles === line.isOpen) parts.toggle(line.table.name)
		else if (line?.kind === 'table' && event.key === 'Delete') props.onRemove(line.table.name)
		else keys.onKeyDown(event)
	}
	/** Enter opens the first hit, and the arrow leads to the hits. */
	function onSearchKey(event: KeyboardEvent): void {
		if (event.key === 'Enter' && search().trim() !== '') void openFirst()
		else if (event.key === 'ArrowDown') stepFrom(-1)
		else return
		event.preventDefault()
	}
	/** Names beyond the list are asked for again, because Enter may be faster than the look-up. */
	async function openFirst(): Promise<void> {
		const line = shown().find(({ kind }) => kind === 'table' || kind === 'object')
		if (line?.kind === 'table') return open(line.table.name)
		if (line?.kind === 'object') return props.onOpenObject(line.object.name)
		const [name] = await props.onFind(search())
		if (name) props.onOpenFound(name)
	}
	/** Moves the focus from a found name, or from the field at -1, to the next name and then into the list. */
	function stepFrom(index: number): void {
		const next = list.querySelectorAll<HTMLElement>('.tables-found button')[index + 1]
		if (next) next.focus()
		else if (shown().length > 0) keys.go(0)
	}
	function onFoundKey(event: KeyboardEvent, index: number): void {
		if (event.key === 'ArrowDown') stepFrom(index)
		else if (event.key === 'ArrowUp' && index > 0) stepFrom(index - 2)
		else if (event.key === 'ArrowUp') field.focus()
		else return
		event.preventDefault()
	}
	/** One menu for all lines: a reload may remove the element that it was opened on. */
	function menu(at: Element) {
		const line = shown()[Number(at.closest<HTMLElement>('[data-line]')?.dataset.line)]
		if (line?.kind === 'level') {
			const others = shown().filter(
				(other): other is typeof line =>
					other.kind === 'level' && other.depth === line.depth && other.id !== line.id && other.isOpen,
			)
			const folding: MenuEntry = {
				label: 'Fold the others',
				isDisabled: others.length === 0,
				run() {
					for (const { id } of others) toggled.toggle(id)
				},
			}
			return line.isOfObjects
				? undefined
				: { label: line.title, entries: [...props.levelMenu(line.path), 'line' as const, folding] }
		}
		if (line?.kind === 'object') return { label: line.object.title, entries: props.objectMenu(line.object) }
		if (line?.kind !== 'table') return undefined
		const { name } = line.table
		return { label: titleOf(line.table), entries: series.of(name) ? seriesMenu(name) : props.menu(name) }
	}
	const seriesMenu = (name: string) => [
		{ label: 'Open', Icon: Table2, run: () => open(name) },
		{ label: 'Copy name', Icon: Copy, run: () => void copyText(name) },
	]
	const lineProps = (index: number) => ({
		'data-line': index,
		tabIndex: keys.tabIndex(index),
		onFocus: () => keys.onFocus(index),
	})
	return (
		<div class="tables" ref={list}>
			<Show when={!props.isBeside}>
				<SearchField
					ref={field}
					class="search-box list-search"
					aria-label={`Search ${props.connection.engine.tableNoun.many.toLowerCase()}`}
					placeholder={`Find in ${counted(props.connection.tables.length, props.connection.engine.tableNoun)}`}
					value={search()}
					onInput={setSearch}
					onKeyDown={onSearchKey}
				/>
			</Show>
			<For each={props.connection.info.notices}>{notice => <p class="sidebar-hint warn">{notice}</p>}</For>
			<FoundTables found={found()} onKeyDown={onFoundKey} onOpen={props.onOpenFound} />
			<div class="tables-scroll" ref={scroller}>
				<Show
					when={shown().length > 0}
					fallback={
						<p class="sidebar-hint quiet">
							{search() === ''
								? `No ${props.connection.engine.tableNoun.many.toLowerCase()} here.`
								: found().length === 0 && 'Nothing matches.'}
						</p>
					}
				>
					<WithMenu menu={menu}>
						<ul
							style={{ height: `${lines.getTotalSize()}px` }}
							aria-label={props.isBeside ? props.connection.name : props.connection.engine.tableNoun.many}
							aria-busy={props.isReloading}
							onKeyDown={onKeyDown}
							{...keys.around}
						>
							<For each={drawn()}>
								{index => (
									<Show when={shown()[index]}>
										{shownLine => (
											<li class="table-line" style={{ transform: `translateY(${index * listHeight()}px)` }}>
												<Switch>
													<Match when={only('level', shownLine())}>
														{level => (
															<LevelLine
																line={lineProps(index)}
																level={level()}
																onToggle={() => toggled.toggle(level().id)}
															/>
														)}
													</Match>
													<Match when={only('table', shownLine())}>
														{own => {
															const name = () => own().table.name
															return (
																<TableName
																	line={lineProps(index)}
																	table={own().table}
																	series={series.of(name())}
																	depth={own().depth}
																	isActive={isActive('table', name())}
																	isChanged={props.staged(name()) > 0}
																	isUnfolded={own().isOpen}
																	onUnfold={() => parts.toggle(name())}
																	onOpen={() => open(name())}
																/>
															)
														}}
													</Match>
													<Match when={only('part', shownLine())}>
														{own => (
															<PartLine
																line={lineProps(index)}
																part={own().part}
																depth={own().depth}
																onOpen={() => open(own().table)}
															/>
														)}
													</Match>
													<Match when={only('object', shownLine())}>
														{own => (
															<ObjectName
																line={lineProps(index)}
																object={own().object}
																depth={own().depth}
																isActive={isActive('object', own().object.name)}
																onOpen={() => props.onOpenObject(own().object.name)}
															/>
														)}
													</Match>
												</Switch>
											</li>
										)}
									</Show>
								)}
							</For>
						</ul>
					</WithMenu>
				</Show>
			</div>
		</div>
	)
}

/** What the searched text opens beyond the list: an alias, or a pattern as one table. */
function FoundTables(props: {
	readonly found: readonly FoundTable[]
	onKeyDown(event: KeyboardEvent, index: number): void
	onOpen(table: FoundTable): void
}): JSX.Element {
	return (
		<Show when={props.found.length > 0}>
			<ul class="tables-found" aria-label="Found by name">
				<For each={props.found}>
					{(table, index) => (
						<li>
							<button
								type="button"
								class="table-name"
								onKeyDown={event => props.onKeyDown(event, index())}
								onClick={() => props.onOpen(table)}
							>
								<Layers size={14} />
								<NameText name={table.name} />
								<span class="quiet">{table.detail ?? table.kind}</span>
							</button>
						</li>
					)}
				</For>
			</ul>
		</Show>
	)
}

function only<K extends TableLine['kind']>(kind: K, line: TableLine) {
	return line.kind === kind ? (line as Extract<TableLine, { readonly kind: K }>) : undefined
}

function textOf(line: TableLine | undefined): string {
	if (line === undefined) return ''
	if (line.kind === 'part') return textOfPart(line.part)
	return line.kind === 'table' ? titleOf(line.table) : (line.kind === 'level' ? line : line.object).title
}
function keyOf(line: TableLine | undefined): string | undefined {
	if (line === undefined || line.kind === 'level') return line && `level ${line.id}`
	if (line.kind === 'part') return `part ${line.table} ${line.part.kind} ${textOfPart(line.part)}`
	return `${line.kind} ${(line.kind === 'table' ? line.table : line.object).name}`
}
