import FileInput from 'lucide-solid/icons/file-input'
import RotateCw from 'lucide-solid/icons/rotate-cw'
import SlidersHorizontal from 'lucide-solid/icons/sliders-horizontal'
import { createEffect, createMemo, createSignal, type JSX, on, Show } from 'solid-js'
import type { MenuEntry } from '../controls/context-menu.tsx'
import { Failure } from '../controls/failure.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { ProgressBar } from '../controls/progress-bar.tsx'
import { SearchField } from '../controls/search-field.tsx'
import { showToast } from '../controls/toasts.tsx'
import { ColumnsMenu } from '../grid/columns/columns-menu.tsx'
import { createCopyFeature } from '../grid/copy/copy-feature.tsx'
import { SelectionWork } from '../grid/selection/selection-work.tsx'
import { Grid } from '../grid/view/grid.tsx'
import { type Command, useCommands } from '../state/commands.tsx'
import { useHost, usePreferences } from '../state/host.tsx'
import type { TabOf, TabProps } from '../state/tab.ts'
import { createReading } from '../state/task.ts'
import { capital, count, counted } from '../words/format.ts'
import { ActionItems, ActionsMenu } from './actions-menu.tsx'
import type { ChosenTables } from './chosen-tables.ts'
import { keepPlace, showRevealed } from './kept-place.ts'
import { createTableActions } from './table-actions.tsx'
import { found, hasGroups, type Line, namesOf } from './table-rows.ts'
import { createTablesFeature } from './tables-feature.tsx'
import { createTablesModel } from './tables-model.ts'

export interface TablesTab extends TabOf<'tables'> {
	/** Also chosen from outside: the menu of a table in the sidebar. */
	readonly chosen: ChosenTables
	/** Called after an action, which may have added or removed tables. */
	onTablesChanged(): void
}

/** All tables of a connection as a table, with actions on the chosen ones. */
export function TablesView(props: TabProps<TablesTab>): JSX.Element {
	const host = useHost()
	const { connection, chosen } = props.tab
	const { tableNoun, rowNoun, hasTableActions, hasTableForm, imports } = connection.engine
	const [search, setSearch] = createSignal('')
	const preferences = usePreferences()
	const groupedKey = `tables/${connection.id}/grouped`
	const [isGrouped, setGrouped] = createSignal(preferences.get(groupedKey) === true)
	createEffect(on(isGrouped, isGrouped => preferences.set(groupedKey, isGrouped), { defer: true }))
	// The search could hide the line that is to be shown.
	createEffect(() => chosen.revealed() !== undefined && setSearch(''))
	const reading = createReading(call => host.call('tables.list', { connection: connection.id }, call))
	// The console and other windows add and remove tables, too.
	createEffect(
		on(
			() => connection.listed,
			() => void reading.run(),
			{ defer: true },
		),
	)
	const tables = () => reading.value() ?? []
	createEffect(() => reading.value() && chosen.keep(tables()))
	const chosenInOrder = () => [...chosen.names()].toSorted()
	const fitting = createMemo(() => found(search(), tables()))
	/** The chosen tables that the search hides. Actions include them, so the page says how many they are. */
	const hidden = createMemo(() => {
		const shown = new Set(fitting().map(({ name }) => name))
		return chosenInOrder().filter(name => !shown.has(name))
	})
	const hiddenText = () => `${count(hidden().length)} of them hidden by the search`
	const hiddenNote = () =>
		hidden().length > 0 ? `For ${counted(chosen.names().size, tableNoun)}, ${hiddenText()}.` : undefined
	const dropHidden = () => hidden().length > 0 && chosen.toggle(hidden())
	const model = createTablesModel({
		key: `tables/${connection.id}`,
		preferences,
		tableNoun,
		rows: capital(rowNoun.many),
		tables,
		fitting,
		isGrouped,
	})
	keepPlace(model, tables)
	showRevealed(model, chosen)
	/** What the window does with one table: rows are imported into it, and a form changes it. */
	function ownEntries(): readonly MenuEntry[] | undefined {
		const [table, ...others] = chosen.names()
		if (table === undefined || others.length > 0) return undefined
		const isDisabled = connection.cannot(table).insert !== undefined
		const entries: readonly MenuEntry[] = [
			...(hasTableForm
				? [{ label: 'Change structure …', Icon: SlidersHorizontal, run: () => props.onTableForm({ table }) }]
				: []),
			...(imports === null
				? []
				: [{ label: `Import ${rowNoun.many} …`, Icon: FileInput, isDisabled, run: () => props.onImport(table) }]),
		]
		return entries.length > 0 ? entries : undefined
	}
	/** A new table is made beside the chosen one. */
	function newTable(): readonly MenuEntry[] | undefined {
		const [beside = ''] = chosen.names()
		const path = connection.table(beside)?.path ?? []
		const label = `New ${tableNoun.one.toLowerCase()} …`
		return hasTableForm ? [{ label, run: () => props.onTableForm({ path }) }] : undefined
	}
	const hasActions = hasTableActions || hasTableForm || imports !== null
	const actions = createTableActions(connection, {
		onConsole: text => props.onConsole(text),
		onDone: () => {
			void reading.run()
			props.tab.onTablesChanged()
		},
	})
	const reload: Command = { id: 'reload', title: 'Reload', keys: ['F5', 'Mod+R'], run: () => void reading.run() }
	useCommands(() => (props.isActive ? [reload] : []))

	/** A menu of a line that is not chosen chooses it instead of the others. */
	function chooseLine(line: Line | undefined): void {
		if (!line || namesOf(line).every(chosen.has)) return
		const before = chosen.names()
		if (hidden().length > 0) {
			const text = `No longer chosen: ${counted(hidden().length, tableNoun)} that the search hides.`
			showToast(text, { label: 'Undo', run: () => chosen.only([...before, ...chosen.names()]) })
		}
		chosen.only(namesOf(line))
	}
	const feature = createTablesFeature(model, {
		chosen,
		one: tableNoun.one,
		hidden,
		onOpen: props.onTable,
		...(hasActions && {
			menuItems: run => {
				chooseLine(model.lines()[model.grid.place.selection().focus.row])
				return (
					<ActionItems
						connection={connection.id}
						tables={chosenInOrder()}
						entries={ownEntries()}
						note={hiddenNote()}
						onChoose={actions.choose}
						choose={run}
					/>
				)
			},
		}),
	})

	return (
		<section class="tables-tab" classList={{ hidden: !props.isShown }} role="tabpanel" aria-label={props.tab.title}>
			<div class="toolbar" role="toolbar" aria-label={props.tab.title}>
				<SearchField
					class="search-box tables-search"
					aria-label={`Find ${tableNoun.many.toLowerCase()}`}
					placeholder={`Find in ${counted(tables().length, tableNoun)}: name or pattern with *`}
					value={search()}
					onInput={setSearch}
				/>
				<Show when={hasGroups(tables())}>
					<label class="option">
						<input type="checkbox" checked={isGrouped()} onChange={event => setGrouped(event.currentTarget.checked)} />
						Group by date
					</label>
				</Show>
				<span class="grow quiet" role="status">
					{chosen.names().size > 0 ? `${counted(chosen.names().size, tableNoun)} chosen` : ''}
					{hidden().length > 0 ? `, ${hiddenText()}` : ''}
				</span>
				<Show when={hidden().length > 0}>
					<button type="button" class="button small" onClick={dropHidden}>
						Drop the hidden
					</button>
				</Show>
				<Show when={hasActions && chosen.names().size > 0}>
					<ActionsMenu
						connection={connection.id}
						label="Actions"
						tables={chosenInOrder()}
						entries={ownEntries()}
						note={hiddenNote()}
						onChoose={actions.choose}
					/>
				</Show>
				<Show when={hasTableActions}>
					<ActionsMenu
						connection={connection.id}
						label="New"
						tables={[]}
						entries={newTable()}
						onChoose={actions.choose}
					/>
				</Show>
				<ColumnsMenu columns={model.grid.columns} onGo={model.grid.place.goToColumn} />
				<IconButton label="Reload" onClick={() => void reading.run()}>
					<RotateCw size={15} />
				</IconButton>
			</div>
			<Failure of={reading} />
			<actions.Sheets />
			<Show when={reading.isRunning() && reading.value() === undefined}>
				<ProgressBar progress={undefined} label="Reading" />
			</Show>
			<Show when={reading.value()}>
				<div
					class="tables-grid"
					on:contextmenu={{
						capture: true,
						// Below the last line there is nothing to act on.
						handleEvent(event) {
							const { target } = event
							if (target instanceof Element && !target.closest('[role=row]')) event.preventDefault()
						},
					}}
				>
					<Grid
						grid={model.grid}
						features={[feature, createCopyFeature(model.grid)]}
						label={tableNoun.many}
						isActive={props.isActive}
					>
						<Show when={model.lines().length === 0}>
							<p class="tables-none quiet">
								{search() === '' ? `No ${tableNoun.many.toLowerCase()} here.` : 'Nothing matches.'}
							</p>
						</Show>
					</Grid>
				</div>
				<SelectionWork selected={model.grid.selected} />
			</Show>
		</section>
	)
}
