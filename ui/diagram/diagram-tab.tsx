import Download from 'lucide-solid/icons/download'
import Maximize from 'lucide-solid/icons/maximize'
import RotateCw from 'lucide-solid/icons/rotate-cw'
import ZoomIn from 'lucide-solid/icons/zoom-in'
import ZoomOut from 'lucide-solid/icons/zoom-out'
import { createEffect, createMemo, createSignal, For, type JSX, on, Show } from 'solid-js'
import type { Table } from '../../host/api/api.ts'
import { Failure } from '../controls/failure.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { ColumnIcon } from '../controls/kind-icon.tsx'
import { ProgressBar } from '../controls/progress-bar.tsx'
import { saveFile } from '../controls/save-file.ts'
import { SearchField } from '../controls/search-field.tsx'
import { Segmented } from '../controls/segmented.tsx'
import { useCommands } from '../state/commands.tsx'
import { useHost, usePreferences } from '../state/host.tsx'
import type { TabOf, TabProps } from '../state/tab.ts'
import { createReading } from '../state/task.ts'
import { count, counted, rowCountText } from '../words/format.ts'
import { diagramFile } from './diagram-file.ts'
import { layOut } from './lay-out.ts'
import { headHeight, lineHeight, linesOf } from './lines.ts'
import { nextBox } from './next-box.ts'
import { type DiagramSubject, mostTables, readGraph } from './read-graph.ts'
import { type Detail, type DiagramTable, graphOf, shownColumns } from './schema-graph.ts'
import { createZoom } from './zoom.ts'

export type DiagramTab = TabOf<'diagram'>

const details = [
	{ id: 'names', label: 'Names' },
	{ id: 'keys', label: 'Keys' },
	{ id: 'columns', label: 'Columns' },
] as const satisfies readonly { readonly id: Detail; readonly label: string }[]
const tableWidth = 208
const keyNoun = { one: 'foreign key', many: 'foreign keys' }

/** Tables and the keys between them: those of a schema, or those around a table. */
export function DiagramView(props: TabProps<DiagramTab>): JSX.Element {
	const host = useHost()
	const preferences = usePreferences()
	const { place, connection, title } = props.tab
	const nouns = connection.engine.tableNoun
	const [detail, setDetail] = createSignal<Detail>(
		details.find(({ id }) => id === preferences.get('diagram/detail'))?.id ?? 'columns',
	)
	const [distance, setDistance] = createSignal(1)
	const [search, setSearch] = createSignal('')
	const [chosen, setChosen] = createSignal(place.table)
	let canvas!: HTMLDivElement

	/** A window that starts again has not read the list of tables. */
	async function subject(signal: AbortSignal): Promise<DiagramSubject> {
		if (place.table !== undefined) return { around: place.table, distance: distance() }
		const { path = [] } = place
		const listed = connection.listed ?? (await host.call('tables.list', { connection: connection.id }, { signal }))
		const isIn = (levels: readonly string[] = []) => path.every((level, at) => levels[at] === level)
		const names = new Set(listed.map(({ name }) => name))
		// A partition has the columns and keys of its table.
		const isPart = ({ partitionOf }: Table) => partitionOf !== undefined && names.has(partitionOf)
		return { tables: listed.filter(table => isIn(table.path) && !isPart(table)).map(({ name }) => name) }
	}
	const reading = createReading(async call => {
		const about = await subject(call.signal)
		const describe = (table: string, options: object) =>
			host.call('tables.describe', { connection: connection.id, table }, options)
		const { described, left } = await readGraph(about, describe, call)
		const graph = graphOf(described, { listed: connection.table, showsOutside: 'tables' in about })
		return { graph, left, unrelated: described.length - graph.tables.filter(({ isOutside }) => !isOutside).length }
	})
	const placing = createReading(async ({ signal }) => {
		const graph = reading.value()?.graph
		if (!graph) return undefined
		const sizes = new Map(graph.tables.map(table => [table.name, sizeOf(table, detail())]))
		return { graph, detail: detail(), layout: await layOut({ sizes, relations: graph.relations }, signal) }
	})
	createEffect(on([reading.value, detail], () => void placing.run(), { defer: true }))
	createEffect(on(distance, () => void reading.run(), { defer: true }))
	const shown = () => placing.value()
	const lines = createMemo(() => {
		const placed = shown()
		return placed ? linesOf(placed.graph, placed.layout, placed.detail) : []
	})
	const zoom = createZoom(
		() => canvas,
		() => shown()?.layout.size,
	)
	const found = createMemo(() => {
		const words = search().trim().toLowerCase()
		if (words === '') return undefined
		const fits = ({ title, name, columns }: DiagramTable) =>
			[title, name, ...columns.map(({ column }) => column.name)].some(text => text.toLowerCase().includes(words))
		return new Set((shown()?.graph.tables ?? []).filter(fits).map(({ name }) => name))
	})
	const related = createMemo(() => {
		const name = chosen()
		const own = lines().filter(({ relation }) => relation.from === name || relation.to === name)
		return {
			lines: new Set(own),
			out: own.filter(({ relation }) => relation.from === name).length,
			in: own.filter(({ relation }) => relation.to === name).length,
		}
	})
	/** The tables from left to right, and down: the order of the Tab key. */
	const inOrder = createMemo(() => {
		const placed = shown()
		if (!placed) return []
		const boxes = placed.layout.boxes
		return placed.graph.tables.toSorted((one, other) => {
			const [a, b] = [boxes.get(one.name), boxes.get(other.name)]
			return (a?.x ?? 0) - (b?.x ?? 0) || (a?.y ?? 0) - (b?.y ?? 0)
		})
	})
	// The upper left corner of a large diagram may have no table. A hidden tab has no size to scroll.
	createEffect(
		on([shown, () => props.isShown], ([placed, isShown]) => {
			const [first] = inOrder()
			if (isShown && first && canvas.scrollLeft === 0 && canvas.scrollTop === 0)
				zoom.reveal(placed?.layout.boxes.get(first.name))
		}),
	)
	/** Moves the focus to a table, which scrolls it into view. */
	function focusOn(name: string | undefined): void {
		if (name !== undefined) canvas.querySelector<HTMLElement>(`[data-table="${CSS.escape(name)}"] button`)?.focus()
	}
	function findNext(): void {
		const hits = inOrder().filter(({ name }) => found()?.has(name))
		const at = hits.findIndex(({ name }) => name === chosen())
		const next = hits[(at + 1) % hits.length]
		if (!next) return
		setChosen(next.name)
		zoom.reveal(shown()?.layout.boxes.get(next.name))
	}
	function onKeyDown(event: KeyboardEvent): void {
		if (event.ctrlKey || event.metaKey || event.altKey) return
		const steps = { '+': zoom.in, '=': zoom.in, '-': zoom.out, '0': zoom.fit }
		const step = steps[event.key as keyof typeof steps]
		const layout = shown()?.layout
		const next = layout && nextBox(layout.boxes, chosen(), event.key)
		if (step) step()
		else if (next !== undefined) focusOn(next)
		else return
		event.preventDefault()
	}
	function save(): void {
		const placed = shown()
		if (placed) saveFile(`${title}.svg`, 'image/svg+xml', diagramFile(placed.graph, placed.layout, placed.detail))
	}
	const choose = (next: Detail) => {
		setDetail(next)
		preferences.set('diagram/detail', next)
	}
	useCommands(() =>
		props.isActive
			? [
					{ id: 'reload', title: 'Reload', keys: ['F5', 'Mod+R'], run: () => void reading.run() },
					{ id: 'diagram.save', title: 'Save the diagram as SVG', run: save },
					{ id: 'diagram.fit', title: 'Show the whole diagram', run: zoom.fit },
				]
			: [],
	)
	const facts = () => {
		const graph = shown()?.graph
		if (!graph) return ''
		const { out, in: into } = related()
		const about = chosen() === undefined ? '' : `. ${chosen()}: ${counted(out, keyNoun)} out, ${count(into)} in`
		const tables = counted(graph.tables.length, nouns)
		const unrelated = reading.value()?.unrelated ?? 0
		const rest = unrelated === 0 ? '' : `, ${count(unrelated)} more without a key`
		return `${tables}, ${counted(graph.relations.length, keyNoun)}${about}${rest}`
	}
	return (
		<section class="diagram-tab" classList={{ hidden: !props.isShown }} role="tabpanel" aria-label={title}>
			<div class="toolbar" role="toolbar" aria-label={title}>
				<SearchField
					class="search-box diagram-search"
					aria-label="Find in the diagram"
					placeholder="Find a name"
					value={search()}
					onInput={setSearch}
					onKeyDown={event => event.key === 'Enter' && findNext()}
				/>
				<Show when={found()}>{hits => <span class="quiet" role="status">{`${count(hits().size)} found`}</span>}</Show>
				<Segmented label="What is shown" options={details} value={detail()} onChange={choose} />
				<Show when={place.table}>
					<Segmented
						label="How far around"
						options={[
							{ id: '1', label: '1 step' },
							{ id: '2', label: '2 steps' },
						]}
						value={String(distance()) as '1' | '2'}
						onChange={next => setDistance(Number(next))}
					/>
				</Show>
				<span class="grow" />
				<button type="button" class="button" disabled={!shown()} onClick={save}>
					<Download size={14} /> Save as SVG
				</button>
				<IconButton label="Reload" onClick={() => void reading.run()}>
					<RotateCw size={15} />
				</IconButton>
			</div>
			<Failure of={reading} />
			<Failure of={placing} />
			<Show when={reading.isRunning() && !reading.value()}>
				<ProgressBar progress={reading.progress()} label={`Reading ${nouns.many.toLowerCase()}`} unit="read" />
			</Show>
			<Show when={reading.value()}>
				{read => (
					<>
						<Show when={read().left > 0}>
							<p class="diagram-note">
								{`The first ${count(mostTables)} are shown, and ${count(read().left)} are not. Open the diagram around one of them to see others.`}
							</p>
						</Show>
						<Show when={read().graph.tables.length === 0}>
							<p class="diagram-empty quiet">{`No ${nouns.one.toLowerCase()} here has a key.`}</p>
						</Show>
					</>
				)}
			</Show>
			{/* biome-ignore lint/a11y/noStaticElementInteractions: the arrows of its tables arrive here */}
			<div
				ref={canvas}
				class="diagram-canvas"
				onKeyDown={onKeyDown}
				onWheel={zoom.onWheel}
				onPointerDown={zoom.onPointerDown}
			>
				<Show when={shown()}>
					{placed => (
						<div style={zoom.room()}>
							<div
								class="diagram-sheet"
								style={{
									width: `${placed().layout.size.width}px`,
									height: `${placed().layout.size.height}px`,
									transform: `scale(${zoom.factor()})`,
								}}
							>
								<svg
									class="diagram-lines"
									width={placed().layout.size.width}
									height={placed().layout.size.height}
									aria-hidden="true"
								>
									<For each={lines()}>
										{line => <path d={line.path} classList={{ related: related().lines.has(line) }} />}
									</For>
								</svg>
								<ul aria-label={nouns.many}>
									<For each={inOrder()}>
										{table => (
											<TableCard
												table={table}
												detail={placed().detail}
												box={placed().layout.boxes.get(table.name)}
												isChosen={chosen() === table.name}
												isDimmed={found()?.has(table.name) === false}
												onChoose={() => setChosen(table.name)}
												onOpen={() => props.onTable(table.name)}
											/>
										)}
									</For>
								</ul>
							</div>
						</div>
					)}
				</Show>
			</div>
			<Show when={facts()}>{text => <p class="diagram-facts quiet">{text()}</p>}</Show>
			<div class="diagram-zoom" role="toolbar" aria-label="Size of the diagram">
				<IconButton label="Smaller" tip="Smaller (-)" isSmall onClick={zoom.out}>
					<ZoomOut size={14} />
				</IconButton>
				<span class="quiet">{`${Math.round(zoom.factor() * 100)} %`}</span>
				<IconButton label="Larger" tip="Larger (+)" isSmall onClick={zoom.in}>
					<ZoomIn size={14} />
				</IconButton>
				<IconButton label="Show all of it" tip="Show all of it (0)" isSmall onClick={zoom.fit}>
					<Maximize size={14} />
				</IconButton>
			</div>
		</section>
	)
}

function sizeOf(table: DiagramTable, detail: Detail) {
	const { shown, left } = shownColumns(table, detail)
	const lines = shown.length + (left > 0 ? 1 : 0)
	return { width: tableWidth, height: headHeight + lines * lineHeight + (lines > 0 ? 4 : 0) }
}

function TableCard(props: {
	readonly table: DiagramTable
	readonly detail: Detail
	readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number } | undefined
	readonly isChosen: boolean
	readonly isDimmed: boolean
	onChoose(): void
	onOpen(): void
}): JSX.Element {
	const columns = () => shownColumns(props.table, props.detail)
	return (
		<li
			class="diagram-table"
			classList={{ chosen: props.isChosen, dimmed: props.isDimmed, outside: props.table.isOutside }}
			data-table={props.table.name}
			style={{
				left: `${props.box?.x ?? 0}px`,
				top: `${props.box?.y ?? 0}px`,
				width: `${props.box?.width ?? 0}px`,
				height: `${props.box?.height ?? 0}px`,
			}}
			onPointerDown={event => {
				event.stopPropagation()
				props.onChoose()
			}}
		>
			<button
				type="button"
				class="diagram-name"
				title={`Open ${props.table.name}`}
				onFocus={props.onChoose}
				onClick={props.onOpen}
			>
				<bdi>{props.table.title}</bdi>
				<Show when={props.table.rows.rowCount !== undefined}>
					<span class="quiet">{rowCountText(props.table.rows)}</span>
				</Show>
			</button>
			<For each={columns().shown}>
				{({ column, isReference }) => (
					<div class="diagram-column" title={`${column.name} ${column.type}`}>
						<span class="quiet" classList={{ key: column.isKey }}>
							<ColumnIcon column={column} isReference={isReference} />
						</span>
						<bdi>{column.name}</bdi>
						<span class="quiet diagram-type">{column.type}</span>
					</div>
				)}
			</For>
			<Show when={columns().left > 0}>
				<div class="diagram-column quiet">{`and ${count(columns().left)} more`}</div>
			</Show>
		</li>
	)
}
