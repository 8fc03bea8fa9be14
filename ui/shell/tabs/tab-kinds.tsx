import type { Component, JSX } from 'solid-js'
import { type ConsoleTab, ConsoleView } from '../../console/console-tab.tsx'
import { type FactsTab, FactsView } from '../../facts/facts-tab.tsx'
import { type TableTab, TableView } from '../../grid/table-tab.tsx'
import type { TabProps } from '../../state/tab.ts'

/** The kinds of tabs there are. A new one is a folder, a line in each of these two lists, and what opens it (workspace.ts). */
export type Tab = TableTab | ConsoleTab | FactsTab

const views: { readonly [T in Tab as T['kind']]: Component<TabProps<T>> } = {
	table: TableView,
	console: ConsoleView,
	facts: FactsView,
}

/** A tab, drawn by the view of its kind. */
export function TabView(props: TabProps<Tab>): JSX.Element {
	// The list pairs each kind with its own view; TypeScript does not follow that through the union.
	const View = views[props.tab.kind] as Component<TabProps<Tab>>
	return <View {...props} />
}
