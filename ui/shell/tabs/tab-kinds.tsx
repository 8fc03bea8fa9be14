import type { Component, JSX } from 'solid-js'
import type { ConsoleTab } from '../../console/console-tab.tsx'
import type { DiagramTab } from '../../diagram/diagram-tab.tsx'
import type { FactsTab, ObjectTab } from '../../facts/facts-tab.tsx'
import { later } from '../../state/later.ts'
import type { TabProps } from '../../state/tab.ts'
import type { TableTab } from '../../table/create-table-tab.ts'
import { TableView } from '../../table/table-tab.tsx'
import type { TableFormTab } from '../../table-form/table-form-tab.tsx'
import type { TablesTab } from '../../tables/tables-tab.tsx'

/**
 * The kinds of tabs. A new kind needs its own folder, an entry in `Tab`, an entry in `views`, and code in workspace.ts
 * that opens it.
 */
export type Tab = TableTab | ConsoleTab | FactsTab | ObjectTab | TablesTab | DiagramTab | TableFormTab

const FactsView = later<TabProps<FactsTab | ObjectTab>>(async () => (await import('./tab-views.ts')).FactsView)

const views: { readonly [T in Tab as T['kind']]: Component<TabProps<T>> } = {
	table: TableView,
	console: later(async () => (await import('./tab-views.ts')).ConsoleView),
	facts: FactsView,
	object: FactsView,
	tables: later(async () => (await import('./tab-views.ts')).TablesView),
	diagram: later(async () => (await import('./tab-views.ts')).DiagramView),
	form: later(async () => (await import('./tab-views.ts')).TableFormView),
}

/** Draws a tab by the view of its kind. */
export function TabView(props: TabProps<Tab>): JSX.Element {
	// The list pairs each kind with its view; TypeScript does not follow that through the union.
	const View = views[props.tab.kind] as Component<TabProps<Tab>>
	return <View {...props} />
}
