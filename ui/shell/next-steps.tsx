import Activity from 'lucide-solid/icons/activity'
import Layers from 'lucide-solid/icons/layers'
import SquareTerminal from 'lucide-solid/icons/square-terminal'
import Table2 from 'lucide-solid/icons/table-2'
import TableProperties from 'lucide-solid/icons/table-properties'
import { createMemo, For, type JSX, onMount } from 'solid-js'
import { useRecords } from '../state/host.tsx'
import type { TabConnection } from '../state/tab.ts'
import { createReading } from '../state/task.ts'
import { keysText } from '../words/keys.ts'
import { createListKeys } from './list-keys.ts'
import { recentTables } from './recent-tables.ts'
import type { Workspace } from './workspace.ts'

interface Step {
	readonly label: string
	readonly detail: string
	readonly icon: JSX.Element
	run(): void
}

/** Names beyond the list of tables that are offered. */
const mostFound = 8

/**
 * What to open on a connection while no tab is open: a console, the overview, all tables, the last ones, and names that
 * are in no list: a cluster of data streams has no other tables.
 */
export function NextSteps(props: { readonly connection: TabConnection; readonly workspace: Workspace }): JSX.Element {
	const { connection, workspace } = props
	const { tableNoun, hasFacts } = connection.engine
	const overview: Step = {
		label: 'Overview',
		detail: 'State of the server',
		icon: <Activity size={16} />,
		run: () => workspace.openFacts(connection),
	}
	const recent = recentTables(useRecords(), connection.id)
	const known: readonly Step[] = [
		{
			label: 'Console',
			detail: keysText('Mod+K C'),
			icon: <SquareTerminal size={16} />,
			run: () => workspace.openConsole(connection),
		},
		...(hasFacts ? [overview] : []),
		{
			label: `All ${tableNoun.many.toLowerCase()}`,
			detail: '',
			icon: <TableProperties size={16} />,
			run: () => workspace.openTables(connection),
		},
		...recent.map(
			(table): Step => ({
				label: table,
				detail: 'Opened before',
				icon: <Table2 size={16} />,
				run: () => workspace.openTable(connection, table),
			}),
		),
	]
	const reading = createReading(() => workspace.tablesFound(connection.id, ''))
	const found = () => (reading.value() ?? []).filter(({ name }) => !recent.includes(name)).slice(0, mostFound)
	const steps = createMemo((): readonly Step[] => [
		...known,
		...found().map(table => ({
			label: table.name,
			detail: table.kind,
			icon: <Layers size={16} />,
			run: () => workspace.openFound(connection, table),
		})),
	])
	let list!: HTMLUListElement
	const elementAt = (index: number) => list.querySelectorAll('button')[index] ?? null
	const keys = createListKeys({
		count: () => steps().length,
		textAt: index => steps()[index]?.label ?? '',
		keyAt: index => steps()[index]?.label,
		pageSize: () => steps().length,
		drawn: () => [...steps().keys()],
		reveal: index => elementAt(index)?.scrollIntoView({ block: 'nearest' }),
		elementAt,
	})
	// The last tab took the focus with it.
	onMount(() => queueMicrotask(() => document.activeElement === document.body && elementAt(0)?.focus()))
	return (
		<ul ref={list} class="next-steps" data-pane aria-label={`Open in ${connection.name}`} onKeyDown={keys.onKeyDown}>
			<For each={steps()}>
				{(step, index) => (
					<li>
						<button
							type="button"
							tabIndex={keys.tabIndex(index())}
							onFocus={() => keys.onFocus(index())}
							onClick={() => step.run()}
						>
							{step.icon}
							<span class="next-step-name">{step.label}</span>
							<span class="quiet">{step.detail}</span>
						</button>
					</li>
				)}
			</For>
		</ul>
	)
}
