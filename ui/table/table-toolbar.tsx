import Download from 'lucide-solid/icons/download'
import Info from 'lucide-solid/icons/info'
import Layers2 from 'lucide-solid/icons/layers-2'
import ListFilter from 'lucide-solid/icons/list-filter'
import PanelRight from 'lucide-solid/icons/panel-right'
import Plus from 'lucide-solid/icons/plus'
import RotateCw from 'lucide-solid/icons/rotate-cw'
import Upload from 'lucide-solid/icons/upload'
import { type JSX, Show } from 'solid-js'
import { IconButton } from '../controls/icon-button.tsx'
import { Toolbar } from '../controls/toolbar.tsx'
import { ColumnsMenu } from '../grid/columns/columns-menu.tsx'
import type { GridColumns } from '../grid/columns/grid-columns.ts'
import { useEngine } from '../state/engine.tsx'
import { capital } from '../words/format.ts'
import type { BarQuery } from './query-bar/bar-query.ts'
import { QueryBar, type ReadRaw } from './query-bar/query-bar.tsx'
import { RequestMenu } from './request-menu.tsx'

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
	/** The groups of similar messages. */
	readonly similar: { isAvailable(): boolean; isOpen(): boolean; toggle(): void }
	/** The menu of saved views. */
	readonly views: JSX.Element
}): JSX.Element {
	const engine = useEngine()
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
					tip={props.filterCount > 0 ? `${props.filterCount} filters` : 'Filter by column'}
					isPressed={props.isFilterOpen}
					onClick={() => props.onFilter()}
				>
					<ListFilter size={15} />
				</IconButton>
				<Show when={props.similar.isAvailable()}>
					<IconButton
						label="Group similar messages"
						isPressed={props.similar.isOpen()}
						onClick={() => props.similar.toggle()}
					>
						<Layers2 size={15} />
					</IconButton>
				</Show>
				<IconButton
					label={`New ${engine.rowNoun.one}`}
					tip={props.cannotInsert}
					isDisabled={props.cannotInsert !== undefined}
					onClick={() => props.onInsert()}
				>
					<Plus size={15} />
				</IconButton>
				<Show when={engine.hasFacts}>
					<IconButton label={`About this ${engine.tableNoun.one.toLowerCase()}`} onClick={() => props.onFacts()}>
						<Info size={15} />
					</IconButton>
				</Show>
				<RequestMenu request={props.request} onConsole={props.onConsole} />
				<ColumnsMenu columns={props.columns} onGo={props.onColumn} />
				{props.views}
				<IconButton label="Export" onClick={() => props.onExport()}>
					<Download size={15} />
				</IconButton>
				<Show when={engine.imports}>
					<IconButton
						label={`Import ${engine.rowNoun.many}`}
						tip={props.cannotInsert}
						isDisabled={props.cannotInsert !== undefined}
						onClick={() => props.onImport()}
					>
						<Upload size={15} />
					</IconButton>
				</Show>
				<IconButton label="Reload" onClick={() => props.onReload()}>
					<RotateCw size={15} />
				</IconButton>
				<IconButton
					label={capital(engine.rowNoun.one)}
					tip={`${capital(engine.rowNoun.one)} (Space)`}
					isPressed={props.isRowOpen}
					onClick={() => props.onRow()}
				>
					<PanelRight size={15} />
				</IconButton>
			</Toolbar>
		</div>
	)
}
