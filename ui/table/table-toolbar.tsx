import Clock3 from 'lucide-solid/icons/clock-3'
import Download from 'lucide-solid/icons/download'
import FileInput from 'lucide-solid/icons/file-input'
import Info from 'lucide-solid/icons/info'
import Layers2 from 'lucide-solid/icons/layers-2'
import ListFilter from 'lucide-solid/icons/list-filter'
import PanelRight from 'lucide-solid/icons/panel-right'
import Plus from 'lucide-solid/icons/plus'
import RotateCw from 'lucide-solid/icons/rotate-cw'
import SquareTerminal from 'lucide-solid/icons/square-terminal'
import { createSignal, type JSX, Show } from 'solid-js'
import type { MenuEntry } from '../controls/context-menu.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { MoreMenu } from '../controls/more-menu.tsx'
import { Toolbar } from '../controls/toolbar.tsx'
import { ColumnsMenu } from '../grid/columns/columns-menu.tsx'
import type { GridColumns } from '../grid/columns/grid-columns.ts'
import { useEngine } from '../state/engine.tsx'
import { capital } from '../words/format.ts'
import type { BarQuery } from './query-bar/bar-query.ts'
import { QueryBar, type ReadRaw } from './query-bar/query-bar.tsx'
import { RequestSheet } from './request-sheet.tsx'
import type { TimeFold } from './time-bar/time-fold.ts'

export function TableToolbar(props: {
	readonly query: BarQuery
	readonly readRaw: ReadRaw
	/** Returns what is sent for a typed query. */
	meaningOf(text: string): Promise<BarQuery>
	/** Returns the last queries of the table, newest first. */
	recentQueries(): readonly BarQuery[]
	onQuery(query: BarQuery): void
	/** The user leaves the query for the rows. */
	onLeaveQuery(): void
	readonly isRowOpen: boolean
	onRow(): void
	onReload(): void
	onInsert(): void
	/** Why the table takes no new rows, if so. */
	readonly cannotInsert: string | undefined
	onExport(): void
	onImport(): void
	/** The last request of the grid. */
	readonly request: string | undefined
	onConsole(text: string): void
	onFacts(): void
	readonly columns: GridColumns
	/** Scrolls to a column. */
	onColumn(name: string): void
	readonly filterCount: number
	readonly isFilterOpen: boolean
	onFilter(): void
	/** The bar below with the range of time. */
	readonly time: TimeFold
	/** The groups of similar messages. */
	readonly similar: { isAvailable(): boolean; isOpen(): boolean; toggle(): void }
	/** The menu of saved views. */
	readonly views: JSX.Element
}): JSX.Element {
	const engine = useEngine()
	const newRow = `New ${engine.rowNoun.one}`
	const request = `Show the ${engine.console.noun.one}`
	const [isRequestOpen, setRequestOpen] = createSignal(false)
	const entries = (): readonly (MenuEntry | 'line')[] => {
		const isDisabled = props.cannotInsert !== undefined
		const insert = { label: newRow, Icon: Plus, keys: 'Insert', isDisabled, run: () => props.onInsert() }
		return [
			...(props.similar.isAvailable() ? [insert] : []),
			...(engine.imports
				? [{ label: `Import ${engine.rowNoun.many} …`, Icon: FileInput, isDisabled, run: () => props.onImport() }]
				: []),
			{ label: 'Export …', Icon: Download, run: () => props.onExport() },
			'line',
			{
				label: request,
				Icon: SquareTerminal,
				isDisabled: props.request === undefined,
				run: () => setRequestOpen(true),
			},
			...(engine.hasFacts
				? [{ label: `About this ${engine.tableNoun.one.toLowerCase()}`, Icon: Info, run: () => props.onFacts() }]
				: []),
			'line',
			{ label: 'Reload', Icon: RotateCw, keys: 'F5', run: () => props.onReload() },
		]
	}
	return (
		<div class="toolbar">
			<Show when={engine.rawQuery} fallback={<span class="grow" />}>
				{rawQuery => (
					<QueryBar
						query={props.query}
						placeholder={rawQuery().placeholder}
						read={props.readRaw}
						meaning={props.meaningOf}
						recent={props.recentQueries}
						onQuery={props.onQuery}
						onLeave={props.onLeaveQuery}
					/>
				)}
			</Show>
			<Toolbar class="toolbar-buttons" label="Grid">
				<IconButton
					label="Filter"
					word="Filter"
					tip={props.filterCount > 0 ? `${props.filterCount} filters` : 'Filter by column'}
					isPressed={props.isFilterOpen}
					onClick={() => props.onFilter()}
				>
					<ListFilter size={15} />
				</IconButton>
				<Show when={props.time.isOptional()}>
					<IconButton label="Filter by time" isPressed={props.time.isShown()} onClick={() => props.time.toggle()}>
						<Clock3 size={15} />
					</IconButton>
				</Show>
				<Show
					when={props.similar.isAvailable()}
					fallback={
						<IconButton
							label={newRow}
							word={newRow}
							tip={props.cannotInsert ?? `${newRow} (Insert)`}
							isDisabled={props.cannotInsert !== undefined}
							onClick={() => props.onInsert()}
						>
							<Plus size={15} />
						</IconButton>
					}
				>
					<IconButton
						label="Group similar messages"
						word="Group similar"
						isWordLast
						isPressed={props.similar.isOpen()}
						onClick={() => props.similar.toggle()}
					>
						<Layers2 size={15} />
					</IconButton>
				</Show>
				<ColumnsMenu columns={props.columns} onGo={props.onColumn} />
				{props.views}
				<IconButton
					label={capital(engine.rowNoun.one)}
					word={capital(engine.rowNoun.one)}
					isWordLast
					tip={`${capital(engine.rowNoun.one)} (Space)`}
					isPressed={props.isRowOpen}
					onClick={() => props.onRow()}
				>
					<PanelRight size={15} />
				</IconButton>
				<MoreMenu entries={entries()} />
			</Toolbar>
			<Show when={isRequestOpen() && props.request}>
				{text => (
					<RequestSheet
						name={`${capital(engine.console.noun.one)} that reads these ${engine.rowNoun.many}`}
						text={text()}
						onConsole={props.onConsole}
						onClose={() => setRequestOpen(false)}
					/>
				)}
			</Show>
		</div>
	)
}
