import '../styles/main.css'
import { cleanup, render } from '@solidjs/testing-library'
import { afterEach, expect } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import type {
	ConnectionChanges,
	ConnectionView,
	Manifest,
	Preferences,
	ServerInfo,
	SessionState,
	WindowSettings,
	WorkspaceRecords,
} from '../../host/api/api.ts'
import { visibleMs } from '../controls/toasts.tsx'
import { App } from '../shell/app.tsx'
import { HostProvider } from '../state/host.tsx'
import { loadRest } from '../state/later.ts'
import { loadPreferences } from '../state/preferences.ts'
import { loadRecords } from '../state/records.ts'
import { fakeConnection, fakeManifest, fakeOffer } from './fake-engine.ts'
import { type Answers, FakeHost } from './fake-host.ts'
import { type FakeTable, tableAnswers } from './fake-tables.ts'
import { press, type } from './keys.ts'
import { removeLeavingListeners } from './leaving-listeners.ts'
import { chooseMore } from './menu.ts'

const hourMs = 3_600_000
const shippedMs = { ...visibleMs }

afterEach(() => {
	cleanup()
	Object.assign(visibleMs, shippedMs)
})

interface WindowOptions {
	readonly tables?: readonly FakeTable[]
	readonly manifest?: Partial<Manifest>
	readonly connection?: Partial<ConnectionView>
	/** Further connections, below the first. */
	readonly others?: readonly Partial<ConnectionView>[]
	/** Answers beside those about tables. */
	readonly answers?: Answers
	/** What an earlier window stored. */
	readonly records?: WorkspaceRecords
	readonly preferences?: Preferences
	/** Where the engine's days begin. */
	readonly timeZone?: string
	/** Whether messages disappear in their time. A busy machine takes longer between two steps of a test. */
	readonly messagesPass?: boolean
}

/** The whole window on a fake host with one connection, which is opened. */
export class FakeWindow {
	readonly host: FakeHost
	/** The user's work as the host has stored it. */
	readonly records: Record<string, WorkspaceRecords[string]>
	readonly preferences: Record<string, Preferences[string]>
	/** The connections as the host has them. A test changes them by {@link changeConnection}. */
	connections: readonly ConnectionView[]
	readonly #manifest: Manifest
	readonly #info: ServerInfo
	readonly #messagesPass: boolean
	#settings: WindowSettings = fakeSettings

	constructor(options: WindowOptions) {
		this.records = { ...options.records }
		this.preferences = { ...options.preferences }
		this.#manifest = fakeManifest(options.manifest)
		const { timeZone, messagesPass = false } = options
		this.#messagesPass = messagesPass
		this.#info = {
			product: this.#manifest.displayName,
			version: '1.0.0',
			notices: [],
			...(timeZone !== undefined && { timeZone }),
		}
		const drafts = [options.connection, ...(options.others ?? [])]
		this.connections = drafts.map((draft, index) =>
			fakeConnection({ id: `c${index + 1}`, driverId: this.#manifest.id, ...draft }),
		)
		this.host = new FakeHost({
			...this.#windowAnswers(),
			...tableAnswers(options.tables ?? []),
			...options.answers,
		})
	}

	/** Renders the window. A second call renders it again, as after a reload, with what the host has stored. */
	async open(): Promise<void> {
		// What is left of an earlier page is stored, as at a reload.
		dispatchEvent(new Event('pagehide'))
		cleanup()
		removeLeavingListeners()
		if (!this.#messagesPass) Object.assign(visibleMs, { plain: hourMs, undoable: hourMs })
		const [preferences, records] = await Promise.all([loadPreferences(this.host), loadRecords(this.host), loadRest()])
		// As in index.html: the styles give this element the height of the page.
		const container = document.createElement('div')
		container.id = 'app'
		document.body.append(container)
		render(
			() => (
				<HostProvider host={this.host} preferences={preferences} records={records}>
					<App />
				</HostProvider>
			),
			{ container },
		)
	}

	/** Opens the connection and one of its tables. */
	async openTable(name: string): Promise<TablePanel> {
		await this.openConnection()
		return this.openListedTable(name)
	}

	/** Opens the first connection, and waits for its tables. */
	async openConnection(): Promise<void> {
		await page.getByRole('button', { name: this.connections[0]?.name ?? '', exact: true }).click()
		await expect.element(page.getByRole('list', { name: this.#manifest.tableNoun.many })).toBeVisible()
	}

	/** Changes a connection as another window would. */
	changeConnection(id: string, changes: Partial<ConnectionView>): ConnectionView {
		const changed = { ...this.#connectionOf(id), ...changes }
		this.setConnections(this.connections.map(connection => (connection.id === id ? changed : connection)))
		return changed
	}

	/** Replaces the list of connections. */
	setConnections(connections: readonly ConnectionView[]): void {
		this.connections = connections
		this.host.emit('connections.changed', null)
	}

	#connectionOf(id: string): ConnectionView {
		const found = this.connections.find(connection => connection.id === id)
		if (!found) throw new Error(`There is no connection ${id}.`)
		return found
	}

	/** Opens a table of the open connection from the sidebar, and waits for its first cells. */
	async openListedTable(name: string): Promise<TablePanel> {
		// Beside a pane, the sidebar is folded at this width.
		const rail = page.getByRole('button', { name: 'Unfold the sidebar' })
		if (rail.elements().length > 0) await rail.click()
		const list = page.getByRole('list', { name: this.#manifest.tableNoun.many })
		await list.getByRole('button', { name }).first().click()
		// Also behind a dialog that is closing: what is below it can be read, and a click waits.
		const panel = new TablePanel(page.getByRole('tabpanel', { name, exact: true, includeHidden: true }))
		await expect.element(panel.root.getByRole('gridcell').first()).toBeVisible()
		return panel
	}

	#windowAnswers(): Answers {
		const setState = (id: string, state: SessionState) => {
			this.connections = this.connections.map(one => (one.id === id ? { ...one, state } : one))
			this.host.emit('session.state', { connection: id, state })
		}
		return {
			'app.info': () => ({
				name: 'Roundhouse',
				version: '0.0.0',
				api: 1,
				home: '/home/test',
				secretStore: 'a file',
				mcp: { url: 'http://127.0.0.1:1/mcp', port: 1 },
			}),
			'app.update': () => null,
			'consent.pending': () => [],
			'pairing.pending': () => [],
			'showings.pending': () => [],
			'viewLinks.take': () => null,
			'drivers.browse': () => ({ offers: [fakeOffer(this.#manifest)], notices: [] }),
			'drivers.installed': () => [this.#manifest],
			'drivers.firstSteps': () => [],
			'connections.list': () => this.connections,
			'connections.add': draft => {
				const added = fakeConnection({ ...given(draft), id: `c${this.connections.length + 1}` })
				this.setConnections([...this.connections, added])
				return added
			},
			'connections.update': ({ id, draft }) => this.changeConnection(id, given(draft)),
			'connections.hideColumns': ({ id, hide = [], show = [] }) => {
				const shown = new Set(show.map(({ table, column }) => `${table} ${column}`))
				const { hiddenColumns } = this.#connectionOf(id)
				const left = hiddenColumns.filter(({ table, column }) => !shown.has(`${table} ${column}`))
				return this.changeConnection(id, { hiddenColumns: [...left, ...hide] })
			},
			'connections.duplicate': ({ id }) => {
				const original = this.#connectionOf(id)
				const copy = { ...original, id: `c${this.connections.length + 1}`, name: `${original.name} copy` }
				this.setConnections(this.connections.flatMap(one => (one === original ? [one, copy] : [one])))
				return copy
			},
			'connections.move': ({ id, before }) => {
				const rest = this.connections.filter(one => one.id !== id)
				const at = rest.findIndex(one => one.id === before)
				this.setConnections(rest.toSpliced(at < 0 ? rest.length : at, 0, this.#connectionOf(id)))
				return null
			},
			'connections.open': ({ id }) => {
				setState(id, { status: 'connected', since: '2026-01-01T00:00:00.000Z' })
				return {
					info: this.#info,
					manifest: this.#manifest,
				}
			},
			'connections.close': ({ id }) => {
				setState(id, { status: 'closed' })
				return null
			},
			'variables.read': () => ({}),
			'history.list': () => [],
			'requests.list': () => ({ requests: [] }),
			'offers.list': () => [],
			'settings.read': () => this.#settings,
			'settings.write': ({ key, value }) => {
				this.#settings = { ...this.#settings, [key]: value }
				return null
			},
			'registries.list': () => [],
			'drivers.confinement': () => ({ protectsFiles: true, summary: 'Drivers are confined.' }),
			'activity.list': () => [],
			'activity.clients': () => [],
			'preferences.read': () => this.preferences,
			'preferences.write': ({ key, value }) => {
				this.preferences[key] = value
				return null
			},
			'workspace.read': () => this.records,
			'workspace.write': ({ key, value }) => {
				if (value === null) delete this.records[key]
				else this.records[key] = value
				return null
			},
		}
	}
}

/** Returns the fields of a draft that have a value: a missing field keeps its value. */
function given({ proxy: _, ...draft }: ConnectionChanges): Partial<ConnectionView> {
	return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined && value !== null))
}

const fakeSettings: WindowSettings = {
	'network.proxy': { mode: 'machine' },
	'requests.folder': '',
	'exports.folder': '',
	'exports.asks': true,
	'mcp.enabled': true,
	'mcp.authentication': true,
	'mcp.alsoAskInWindow': false,
	'mcp.keepStatements': true,
	'mcp.keepReplaced': true,
}

/** Opens a window on tables. */
export async function openWindow(options: WindowOptions): Promise<FakeWindow> {
	const window = new FakeWindow(options)
	await window.open()
	return window
}

/** One open table. */
export class TablePanel {
	readonly root: Locator

	constructor(root: Locator) {
		this.root = root
	}

	/** The grid, also behind a dialog that is closing. */
	get grid(): Locator {
		return this.root.getByRole('grid', { includeHidden: true })
	}

	/** Returns the header of a column, by its whole name. */
	header(column: string): HTMLElement {
		const headers = this.#all('[role=columnheader]')
		const header = headers.find(element => nameOf(element) === column)
		if (!header) throw new Error(`no column ${column} in view`)
		return header
	}

	/** Returns the names of the columns in view, from the left. */
	columns(): readonly string[] {
		return this.#all('[role=columnheader]')
			.toSorted((one, other) => columnOf(one) - columnOf(other))
			.flatMap(header => nameOf(header) ?? [])
	}

	/** Returns the cell of a column in a row, counted from 0. */
	cell(row: number, column: string): Locator {
		const at = this.header(column).getAttribute('aria-colindex')
		const cell = this.#all(`[role=row][aria-rowindex="${row + 2}"] > [role=gridcell][aria-colindex="${at}"]`)[0]
		if (!cell) throw new Error(`no row ${row} in view`)
		return page.elementLocator(cell)
	}

	/** Returns the texts of a column in view, from the top. */
	texts(column: string): readonly string[] {
		const at = this.header(column).getAttribute('aria-colindex')
		return this.#all(`[role=row] > [role=gridcell][aria-colindex="${at}"]`)
			.toSorted((one, other) => rowOf(one) - rowOf(other))
			.map(element => element.innerText)
	}

	/** Types a value into a cell and commits it. */
	async edit(row: number, column: string, text: string): Promise<void> {
		// A closing dialog still hides the table.
		await expect.element(this.root).toBeVisible()
		await this.cell(row, column).dblClick()
		await press('ControlOrMeta+a')
		await type(text)
		await press('Enter')
	}

	/** Scrolls a column into view. Only columns near the view are in the page. */
	async scrollTo(column: string): Promise<void> {
		const grid = this.grid.element()
		for (let left = 0; left <= grid.scrollWidth; left += 300) {
			if (this.columns().includes(column)) break
			grid.scrollTo(left, grid.scrollTop)
			await expect.poll(() => this.columns().length).toBeGreaterThan(0)
			await new Promise(requestAnimationFrame)
		}
		// A column can be drawn outside of the view.
		this.header(column).scrollIntoView({ inline: 'center', block: 'nearest' })
	}

	/** Runs a query of the query bar and waits for its answer by its count (`1 row`). */
	async search(query: string, count: string): Promise<void> {
		await this.root.getByRole('searchbox', { name: 'Query' }).fill(query)
		await press('Enter')
		await expect.element(this.root.getByText(count, { exact: true })).toBeVisible()
	}

	/** Chooses an entry of the menu of its toolbar. */
	async more(entry: string): Promise<void> {
		await chooseMore(this.root, entry)
	}

	/** Waits until as many changes are staged. */
	async isStaged(count: number): Promise<void> {
		const text = `${count.toLocaleString('en')} change${count === 1 ? '' : 's'} not saved`
		if (count > 0) return expect.element(this.root.getByText(text, { exact: true })).toBeVisible()
		await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
		await expect.element(this.root.getByText(/not saved|^Saving …/)).not.toBeInTheDocument()
	}

	/** Reviews the staged changes and saves them. */
	async save(): Promise<void> {
		await this.root.getByRole('button', { name: 'Review and save' }).click()
		await page
			.getByRole('dialog')
			.getByRole('button', { name: /^(Save|Delete)/ })
			.click()
	}

	#all(selector: string): readonly HTMLElement[] {
		return [...this.root.element().querySelectorAll<HTMLElement>(selector)].filter(element => element.checkVisibility())
	}
}

const nameOf = (header: HTMLElement) => header.querySelector('.grid-header-name')?.textContent?.trim()
const columnOf = (header: HTMLElement) => Number(header.getAttribute('aria-colindex'))
const rowOf = (cell: HTMLElement) => Number(cell.closest('[role=row]')?.getAttribute('aria-rowindex'))
