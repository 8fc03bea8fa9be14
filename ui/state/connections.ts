import { batch, createMemo, createSignal, onCleanup } from 'solid-js'
import type { ConnectionView, DatabaseObject, Manifest, Progress, ServerInfo, Table } from '../../host/api/api.ts'
import type { CallOptions, HostConnection } from '../api/client.ts'
import { tellApart } from '../words/connection-colour.ts'
import { messageOf } from '../words/message-of.ts'
import { cannotWrite } from '../words/safe-mode.ts'
import type { Engine } from './engine.tsx'
import type { TabConnection } from './tab.ts'
import { createReading, createTask } from './task.ts'

/** The connection whose tables are shown. */
export type ActiveConnection =
	| { readonly status: 'opening'; readonly id: string; readonly progress: Progress | undefined }
	| OpenConnection
	| { readonly status: 'failed'; readonly id: string; readonly message: string }

export interface OpenConnection extends TabConnection {
	readonly status: 'open'
	readonly info: ServerInfo
	readonly tables: readonly Table[]
	/** What else the connection lists, for example functions. */
	readonly objects: readonly DatabaseObject[]
}

interface Opened {
	readonly info: ServerInfo
	readonly tables: readonly Table[]
	readonly objects: readonly DatabaseObject[]
	readonly engine: Engine
}

/** An engine may count a write late: Elasticsearch does so at its next refresh, by default within a second. */
const lateMs = 2_000

/** The saved connections, and the open one with its tables. */
export function createConnections(host: HostConnection, say: (text: string) => void) {
	const tellFailure = (error: unknown) => say(messageOf(error))
	const [listed, setSaved] = createSignal<readonly ConnectionView[]>([])
	/** A connection that is shown has its colour. */
	const saved = createMemo(() => {
		tellApart(listed())
		return listed()
	})
	const [drivers, setDrivers] = createSignal<readonly Manifest[]>([])
	const [activeId, setActiveId] = createSignal<string>()
	/** The connection that was active before, whose tables stay in the sidebar. */
	const [besideId, setBesideId] = createSignal<string>()
	/** The tables of connections that this window has opened. */
	const [seen, setSeen] = createSignal<ReadonlyMap<string, Opened>>(new Map())
	/** `true` after the first reading. */
	const reading = createReading(async (call): Promise<true> => {
		const installed = await host.call('drivers.installed', {}, call)
		const list = await host.call('connections.list', {}, call)
		batch(() => {
			setDrivers(installed)
			setSaved(list)
		})
		return true
	})
	/** A missing driver is installed first. Selecting another connection meanwhile is no failure of this one. */
	const opening = createTask(({ onProgress }, id: string) => learn(id, { onProgress }))
	/** Opens a session, and reads what the connection lists. */
	async function learn(id: string, options: Pick<CallOptions, 'onProgress'>): Promise<void> {
		const { info, manifest } = await host.call('connections.open', { id }, options)
		const tables = (await readTables(id)) ?? seen().get(id)?.tables
		if (!tables) return
		const objects = seen().get(id)?.objects ?? []
		setSeen(all => new Map(all).set(id, { info, tables, objects, engine: manifest }))
		void readObjects(id).catch(tellFailure)
	}
	/** Connections whose tables this window has asked for. */
	const asked = new Set<string>()
	const latest = new Map<string, Promise<unknown>>()
	/** `undefined` if a newer reading of the same has started: this answer may be the older one. */
	async function unlessNewer<T>(key: string, reading: Promise<T>): Promise<T | undefined> {
		latest.set(key, reading)
		const answer = await reading
		return latest.get(key) === reading ? answer : undefined
	}
	const readTables = (id: string) => unlessNewer(`tables/${id}`, host.call('tables.list', { connection: id }))
	const late = new Map<string, ReturnType<typeof setTimeout>>()
	onCleanup(() => late.forEach(clearTimeout))
	async function readTablesAgain(id: string): Promise<void> {
		const opened = seen().get(id)
		if (!opened) return
		// If reading fails, the list stays.
		const tables = await readTables(id).catch(() => undefined)
		if (tables) setSeen(all => new Map(all).set(id, { ...(all.get(id) ?? opened), tables }))
	}
	/** Reads what a connection lists beside tables. The list of tables does not wait for it. */
	async function readObjects(id: string): Promise<void> {
		if (!seen().get(id)?.engine.hasObjects) return
		const objects = await unlessNewer(`objects/${id}`, host.call('objects.list', { connection: id }))
		if (!objects) return
		setSeen(all => {
			const opened = all.get(id)
			return opened ? new Map(all).set(id, { ...opened, objects }) : all
		})
	}
	/** A reload shows the tables that are known until the new list arrives. */
	const [isReload, setReload] = createSignal(false)
	const savedAs = (id: string) => saved().find(connection => connection.id === id)
	const nameOf = (id: string) => savedAs(id)?.name ?? ''
	/** A removed connection is not written to. */
	const viewOf = (id: string): TabConnection['view'] =>
		savedAs(id) ?? { id, safeMode: 'read-only', isProduction: false, hiddenColumns: [] }
	const tableOf = (id: string, name: string) =>
		seen()
			.get(id)
			?.tables.find(table => table.name === name)
	const tabConnection = (id: string, engine: Engine): TabConnection => ({
		id,
		engine,
		get name() {
			return nameOf(id)
		},
		get view() {
			return viewOf(id)
		},
		get listed() {
			return seen().get(id)?.tables
		},
		get timeZone() {
			return seen().get(id)?.info.timeZone
		},
		table: name => tableOf(id, name),
		cannot: table => cannotWrite(nameOf(id), viewOf(id)) ?? tableOf(id, table)?.cannot ?? {},
	})
	const openedAs = (id: string, { engine, ...listed }: Opened): OpenConnection =>
		Object.assign(tabConnection(id, engine), { status: 'open', ...listed } as const)
	const active = createMemo((): ActiveConnection | undefined => {
		const id = activeId()
		if (id === undefined) return undefined
		if (opening.isRunning() && !isReload()) return { status: 'opening', id, progress: opening.progress() }
		const message = opening.error()
		if (message !== undefined) return { status: 'failed', id, message }
		const opened = seen().get(id)
		return opened && openedAs(id, opened)
	})
	const beside = createMemo((): OpenConnection | undefined => {
		const id = besideId()
		const opened = id === undefined || id === activeId() ? undefined : seen().get(id)
		return id !== undefined && opened && savedAs(id) ? openedAs(id, opened) : undefined
	})
	host.on('connections.changed', () => void reading.run())
	host.on('drivers.changed', () => void reading.run())
	host.on('session.state', ({ connection, state }) =>
		setSaved(all => all.map(view => (view.id === connection ? { ...view, state } : view))),
	)

	function open(id: string): void {
		batch(() => {
			setReload(false)
			if (activeId() !== id) setBesideId(activeId())
			setActiveId(id)
			asked.add(id)
			void opening.run(id)
		})
	}
	return {
		saved,
		/** Whether the list could be read, and how to retry. */
		reading,
		active,
		/** The connection that was open before, and still is in the sidebar. */
		beside,
		/** Reads the tables of a connection that a tab shows, once, without a change of the sidebar. The tab says what fails. */
		learn(id: string): void {
			if (asked.has(id)) return
			asked.add(id)
			void learn(id, {}).catch(() => {})
		},
		foldBeside: () => void setBesideId(undefined),
		open,
		/** Closes its session. The next use opens another. */
		async disconnect(id: string): Promise<void> {
			if (activeId() === id) setActiveId(undefined)
			if (besideId() === id) setBesideId(undefined)
			await host.call('connections.close', { id })
		},
		async duplicate(id: string): Promise<void> {
			await host.call('connections.duplicate', { id }).catch(tellFailure)
		},
		/** Moves it before another in the list, or to the end. */
		move: (id: string, before: string | null) => void host.call('connections.move', { id, before }).catch(tellFailure),
		/** Tests it as it is saved and shows the outcome. */
		async test({ id, name }: ConnectionView): Promise<void> {
			const outcome = await host.call('connections.test', { id }).then(
				({ product, version }) => `${name} answers: ${product} ${version}.`,
				error => `${name} does not answer: ${messageOf(error)}`,
			)
			say(outcome)
		},
		/** Reads the objects of a connection again in the background. If reading fails, the list stays. */
		refreshObjects: (id: string) => void readObjects(id).catch(() => {}),
		/** Reads the tables of a connection again in the background after a write: now, and when a late engine has counted. */
		refresh(id: string): Promise<void> {
			clearTimeout(late.get(id))
			late.set(
				id,
				setTimeout(() => void readTablesAgain(id), lateMs),
			)
			return readTablesAgain(id)
		},
		/** Opens the current connection again, which reads its tables. */
		reload: () =>
			batch(() => {
				setReload(active()?.status === 'open')
				opening.retry()
			}),
		isReloading: () => isReload() && opening.isRunning(),
		/** A connection whose driver is installed, open or not. */
		of(id: string): TabConnection | undefined {
			const driverId = savedAs(id)?.driverId
			const engine = seen().get(id)?.engine ?? drivers().find(driver => driver.id === driverId)
			return engine && tabConnection(id, engine)
		},
		/** A connection as this window last read it. */
		known(id: string): OpenConnection | undefined {
			const opened = seen().get(id)
			return opened && openedAs(id, opened)
		},
	}
}
