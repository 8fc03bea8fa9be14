import type { Component, JSX } from 'solid-js'
import { type ConsoleTab, ConsoleView } from '../../console/console-tab.tsx'
import { type DiagramTab, DiagramView } from '../../diagram/diagram-tab.tsx'
import { type FactsTab, FactsView, type ObjectTab } from '../../facts/facts-tab.tsx'
import type { TabProps } from '../../state/tab.ts'
import type { TableTab } from '../../table/create-table-tab.ts'
import { TableView } from '../../table/table-tab.tsx'
import { type TableFormTab, TableFormView } from '../../table-form/table-form-tab.tsx'
import { type TablesTab, TablesView } from '../../tables/tables-tab.tsx'

/**
 * The kinds of tabs. A new kind needs its own folder, an entry in `Tab`, an entry in `views`, and code in workspace.ts
 * that opens it.
 */
export type Tab = TableTab | ConsoleTab | FactsTab | ObjectTab | TablesTab | DiagramTab | TableFormTab

const views: { readonly [T in Tab as T['kind']]: Component<TabProps<T>> } = {
	table: TableView,
	console: ConsoleView,
	facts: FactsView,
	object: FactsView,
	tables: TablesView,
	diagram: DiagramView,
	form: TableFormView,
}

/** Draws a tab by the view of its kind. */
export function TabView(props: TabProps<Tab>): JSX.Element {
	// The list pairs each kind with its view; TypeScript does not follow that through the union.
	const View = views[props.tab.kind] as Component<TabProps<Tab>>
	return <View {...props} />
}
