import { createVirtualizer } from '@tanstack/solid-virtual'
import Activity from 'lucide-solid/icons/activity'
import RotateCw from 'lucide-solid/icons/rotate-cw'
import SquareTerminal from 'lucide-solid/icons/square-terminal'
import Table2 from 'lucide-solid/icons/table-2'
import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import type { TableCondition } from '../../host/api/api.ts'
import { type MenuEntry, WithMenu } from '../controls/context-menu.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import type { OpenConnection } from '../state/connections.ts'
import { tabId } from '../state/tab.ts'
import { count, counted } from '../words/format.ts'

const lineHeight = 26

/** The tables of the open connection: searchable, and virtual, because there may be thousands. */
export function TableList(props: {
	readonly connection: OpenConnection
	/** The id of the active tab. */
	readonly activeTab: string | undefined
	/** Actions for a table. */
	menu(table: string): readonly (MenuEntry | 'line')[]
	/** Returns the number of unsaved changes of a tab. */
	staged(id: string): number
	onOpen(table: string): void
	onConsole(): void
	onFacts(): void
	onReload(): void
}): JSX.Element {
	let scroller!: HTMLDivElement
	const idOf = (table: string) => tabId({ kind: 'table', connection: props.connection.id, table })
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
											<WithMenu label={table().name} entries={() => props.menu(table().name)}>
												<button
													type="button"
													class="table-name"
													classList={{
														active: props.activeTab === idOf(table().name),
													}}
													title={[table().name, table().condition?.text].filter(Boolean).join('\n')}
													onClick={() => props.onOpen(table().name)}
												>
													<Table2 size={14} />
													<span class="table-text">{table().name}</span>
													<Show when={table().condition}>{condition => <Condition of={condition()} />}</Show>
													<Show when={props.staged(idOf(table().name)) > 0}>
														<span class="tab-dot" title="Changes not saved" />
													</Show>
													<Show when={table().rowCount !== undefined}>
														<span class="table-count">{count(table().rowCount ?? 0)}</span>
													</Show>
												</button>
											</WithMenu>
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

/** A word for a table that may not be read completely, else a mark. */
function Condition(props: { readonly of: TableCondition }): JSX.Element {
	return (
		<Show
			when={props.of.state !== 'warning'}
			fallback={<span class="condition-mark" role="img" aria-label="Needs attention" />}
		>
			<span class={`condition condition-${props.of.state}`}>
				{props.of.state === 'closed' ? 'closed' : 'unhealthy'}
			</span>
		</Show>
	)
}
