import { createVirtualizer } from '@tanstack/solid-virtual'
import Activity from 'lucide-solid/icons/activity'
import RotateCw from 'lucide-solid/icons/rotate-cw'
import SquareTerminal from 'lucide-solid/icons/square-terminal'
import Table2 from 'lucide-solid/icons/table-2'
import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { IconButton } from '../controls/icon-button.tsx'
import type { OpenConnection } from '../state/connections.ts'
import { count, counted } from '../words/format.ts'
import { tableTabId } from './workspace.ts'

const lineHeight = 26

/** The open connection's tables: searchable, and virtual, for there may be thousands. */
export function TableList(props: {
	readonly connection: OpenConnection
	/** The id of the tab in front. */
	readonly activeTab: string | undefined
	onOpen(table: string): void
	onConsole(): void
	onFacts(): void
	onReload(): void
}): JSX.Element {
	let scroller!: HTMLDivElement
	const [search, setSearch] = createSignal('')
	const shown = createMemo(() => {
		const words = search().toLowerCase()
		return props.connection.tables.filter(table => table.name.toLowerCase().includes(words))
	})
	const lines = createVirtualizer<HTMLDivElement, HTMLElement>({
		get count() {
			return shown().length
		},
		getScrollElement: () => scroller,
		estimateSize: () => lineHeight,
		overscan: 10,
	})
	return (
		<div class="tables">
			<div class="tables-head">
				<input
					type="search"
					aria-label={`Search ${props.connection.engine.tableNoun.many.toLowerCase()}`}
					placeholder={`Search ${counted(props.connection.tables.length, props.connection.engine.tableNoun)}`}
					value={search()}
					onInput={event => setSearch(event.currentTarget.value)}
				/>
				<Show when={props.connection.engine.hasFacts}>
					<IconButton label="Overview" isSmall onClick={() => props.onFacts()}>
						<Activity size={14} />
					</IconButton>
				</Show>
				<IconButton label="Console" isSmall onClick={() => props.onConsole()}>
					<SquareTerminal size={14} />
				</IconButton>
				<IconButton label="Reload" isSmall onClick={() => props.onReload()}>
					<RotateCw size={13} />
				</IconButton>
			</div>
			<For each={props.connection.info.notices}>{notice => <p class="sidebar-hint warn">{notice}</p>}</For>
			<div class="tables-scroll" ref={scroller}>
				<Show
					when={shown().length > 0}
					fallback={
						<p class="sidebar-hint quiet">
							{search() ? 'Nothing matches.' : `No ${props.connection.engine.tableNoun.many.toLowerCase()} here.`}
						</p>
					}
				>
					<ul style={{ height: `${lines.getTotalSize()}px` }} aria-label={props.connection.engine.tableNoun.many}>
						<For each={lines.getVirtualItems()}>
							{line => (
								<Show when={shown()[line.index]}>
									{table => (
										<li class="table-line" style={{ transform: `translateY(${line.start}px)` }}>
											<button
												type="button"
												class="table-name"
												classList={{ active: props.activeTab === tableTabId(props.connection, table().name) }}
												title={table().name}
												onClick={() => props.onOpen(table().name)}
											>
												<Table2 size={14} />
												<span class="table-text">{table().name}</span>
												<Show when={table().rowCount !== undefined}>
													<span class="table-count">{count(table().rowCount ?? 0)}</span>
												</Show>
											</button>
										</li>
									)}
								</Show>
							)}
						</For>
					</ul>
				</Show>
			</div>
		</div>
	)
}
