import { chooseTheme, density, theme, themes } from '../../state/appearance.ts'
import type { Command } from '../../state/commands.tsx'
import type { PreferenceStore } from '../../state/preferences.ts'
import type { TabConnection } from '../../state/tab.ts'
import { isMac } from '../../words/keys.ts'
import type { Workspace } from '../workspace.ts'
import { goToPane, goToSearch } from './panes.ts'

const themeWords = { system: 'same as the system', light: 'light', dark: 'dark' } as const

/** Returns the next one, and after the last the first. */
function next<T>(all: readonly T[], now: T): T {
	return all[(all.indexOf(now) + 1) % all.length] ?? now
}

/** Commands that are always available; tabs add theirs. */
export function shellCommands(options: {
	readonly workspace: Workspace
	readonly preferences: PreferenceStore
	show(sheet: 'new' | 'settings' | 'palette' | 'open' | 'project' | 'project-save'): void
	toggleSidebar(): void
}): readonly Command[] {
	const { workspace, preferences, show } = options
	const { tabs, connections } = workspace
	const onTab = (run: (id: string) => void) => () => {
		const id = tabs.activeId()
		if (id !== undefined) run(id)
	}
	const goTo = () => {
		workspace.requests.refresh()
		show('open')
	}
	const hasTab = () => tabs.activeId() !== undefined
	const hasTabs = () => tabs.tabs().length > 1
	const onConnection = (run: (connection: TabConnection) => void) => ({
		isAvailable: () => workspace.currentConnection() !== undefined,
		run: () => {
			const found = workspace.currentConnection()
			if (found) run(found)
		},
	})
	/** The table of the active tab, if it has a form. */
	const tableOfTab = (ability: 'hasTableForm' | 'hasReferences') => {
		const tab = tabs.active()
		if (!tab || !('table' in tab.place) || tab.place.table === undefined || !tab.connection.engine[ability])
			return undefined
		return { connection: tab.connection, table: tab.place.table }
	}
	return [
		{ id: 'palette', title: 'Show all commands', keys: ['Mod+Shift+P', 'F1'], run: () => show('palette') },
		{ id: 'open', title: 'Go to a table, saved statement or connection', keys: ['Mod+P'], run: goTo },
		{ id: 'connection.new', title: 'New connection', keys: ['Mod+K N'], run: () => show('new') },
		{ id: 'project.open', title: 'Open project …', run: () => show('project') },
		{ id: 'project.save', title: 'Save as project …', run: () => show('project-save') },
		{ id: 'settings', title: 'Settings', keys: ['Mod+,'], run: () => show('settings') },
		{
			id: 'console.new',
			title: 'New console',
			keys: ['Mod+T', 'Mod+K C'],
			...onConnection(found => workspace.newConsole(found)),
		},
		{
			id: 'overview',
			title: 'Overview of the connection',
			...onConnection(found => workspace.openFacts(found)),
			isAvailable: () => workspace.currentConnection()?.engine.hasFacts === true,
		},
		{
			id: 'tables',
			title: 'All tables of the connection',
			...onConnection(found => workspace.openTables(found)),
		},
		{
			id: 'diagram.table',
			title: 'Diagram around the table',
			isAvailable: () => tableOfTab('hasReferences') !== undefined,
			run: () => {
				const found = tableOfTab('hasReferences')
				if (found) workspace.openDiagram(found.connection, { table: found.table })
			},
		},
		{
			id: 'diagram',
			title: 'Diagram of the connection',
			...onConnection(found => workspace.openDiagram(found, {})),
			isAvailable: () => workspace.currentConnection()?.engine.hasReferences === true,
		},
		{
			id: 'table.new',
			title: 'New table',
			...onConnection(found => workspace.openTableForm(found, workspace.newTablePlace(found))),
			isAvailable: () => workspace.currentConnection()?.engine.hasTableForm === true,
		},
		{
			id: 'table.change',
			title: 'Change the structure of the table',
			isAvailable: () => tableOfTab('hasTableForm') !== undefined,
			run: () => {
				const found = tableOfTab('hasTableForm')
				if (found) workspace.openTableForm(found.connection, { table: found.table })
			},
		},
		{
			id: 'connection.reload',
			title: 'Reload the list of tables',
			isAvailable: () => connections.active() !== undefined,
			run: connections.reload,
		},
		{
			id: 'tab.close',
			title: 'Close tab',
			keys: ['Mod+W', 'Mod+K W'],
			isAvailable: hasTab,
			run: onTab(tabs.close),
		},
		{
			id: 'tab.closeOthers',
			title: 'Close other tabs',
			keys: ['Mod+K O'],
			isAvailable: hasTabs,
			run: onTab(tabs.closeOthers),
		},
		{
			id: 'tab.closeRight',
			title: 'Close tabs to the right',
			isAvailable: hasTabs,
			run: onTab(tabs.closeToTheRight),
		},
		{
			id: 'pane.split',
			title: tabs.panes.isSplit() ? 'Go to the other pane' : 'Split right',
			keys: ['Mod+\\', 'Mod+K S'],
			isAvailable: hasTabs,
			run: onTab(id => (tabs.panes.isSplit() ? tabs.panes.focusOther() : tabs.panes.moveTo(id, 'right'))),
		},
		{
			id: 'tab.move',
			title: 'Move tab to other pane',
			keys: ['Mod+K M'],
			isAvailable: hasTabs,
			run: onTab(tabs.panes.moveToOther),
		},
		{
			id: 'tab.rename',
			title: 'Rename tab',
			keys: ['F2'],
			isAvailable: () => tabs.active()?.rename !== undefined,
			run: onTab(tabs.beginRename),
		},
		{
			id: 'tab.reopen',
			title: 'Open the last closed tab',
			keys: ['Mod+Shift+T', 'Mod+K R'],
			isAvailable: () => tabs.closed().length > 0,
			run: workspace.reopen,
		},
		{
			id: 'tab.next',
			title: 'Next tab',
			keys: ['Ctrl+Tab', 'Mod+K ArrowRight'],
			isAvailable: hasTabs,
			run: () => tabs.step(1),
		},
		{
			id: 'tab.previous',
			title: 'Previous tab',
			keys: ['Ctrl+Shift+Tab', 'Mod+K ArrowLeft'],
			isAvailable: hasTabs,
			run: () => tabs.step(-1),
		},
		{
			id: 'go.back',
			title: 'Back',
			// On a Mac, Alt with an arrow moves the caret by words.
			keys: [isMac ? 'Mod+[' : 'Alt+ArrowLeft', 'MouseBack'],
			isAvailable: () => workspace.history.canGo(-1),
			run: () => workspace.history.go(-1),
		},
		{
			id: 'go.forward',
			title: 'Forward',
			keys: [isMac ? 'Mod+]' : 'Alt+ArrowRight', 'MouseForward'],
			isAvailable: () => workspace.history.canGo(1),
			run: () => workspace.history.go(1),
		},
		...tabs
			.tabs()
			.slice(0, 9)
			.map((tab, index) => ({
				id: `tab.${index + 1}`,
				title: `Go to tab ${index + 1}: ${tab.title}`,
				keys: [`Mod+${index + 1}`, `Mod+K ${index + 1}`],
				run: () => void tabs.activate(tab.id),
			})),
		{ id: 'pane.next', title: 'Next pane', keys: ['F6'], run: () => goToPane(1) },
		{ id: 'pane.previous', title: 'Previous pane', keys: ['Shift+F6'], run: () => goToPane(-1) },
		{ id: 'sidebar', title: 'Fold or unfold the sidebar', keys: ['Mod+B'], run: options.toggleSidebar },
		{ id: 'find', title: 'Search in the focused part', keys: ['Mod+F'], run: () => void goToSearch() },
		{
			id: 'theme.next',
			title: 'Next theme',
			keys: ['Mod+K T'],
			run: () => chooseTheme(next(themes, theme()), preferences),
		},
		{
			id: 'density.next',
			title: 'Next row height',
			keys: ['Mod+K D'],
			run: () => density.choose(next(density.names, density.chosen()), preferences),
		},
		...themes.map(name => ({
			id: `theme.${name}`,
			title: `Theme: ${themeWords[name]}`,
			run: () => chooseTheme(name, preferences),
		})),
	]
}
