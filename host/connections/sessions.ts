import { readFile } from 'node:fs/promises'
import { DriverError } from '@roundhouse/kit'
import type { Manifest, Settings } from '@roundhouse/kit/manifest'
import { Emitter } from '../base/emitter.ts'
import { messageOf } from '../base/errors.ts'
import type { CallOptions } from '../driver-runtime/driver-calls.ts'
import type { DriverProcess } from '../driver-runtime/driver-process.ts'
import type { Grants } from '../driver-runtime/grants.ts'
import { connectionErrors } from './errors.ts'
import { ProcessLeases } from './process-leases.ts'
import type { Reaches, ReachingConnection } from './reaches.ts'
import type { SavedConnection, SavedConnections } from './saved-connections.ts'
import { Session } from './session.ts'

/** What sessions need of the plugin loader. */
export interface DriverHost {
	/** The driver's manifest; installs it without asking where it is missing (contract, "What the service does", 7). */
	ensure(driverId: string, options?: CallOptions): Promise<Manifest>
	/** The driver's running process, started if need be. */
	process(driverId: string, grants?: Grants): Promise<DriverProcess>
	/** Ends the process with these grants; nobody uses it any more. */
	endGranted(driverId: string, grants: Grants): Promise<void>
	/** The driver's sample, started if need be, in a process of its own; its edits outlive the driver's other process. */
	sample(driverId: string): Promise<RunningSample>
}

interface RunningSample {
	readonly settings: Settings
	readonly url: string
	readonly ports: readonly number[]
	/** Settles with the reason when its process has ended. */
	readonly ended: Promise<string>
}

/** A session of its own for clients that may only read, where the engine has such. */
export interface SessionOptions extends CallOptions {
	/** A person who asks again after a failure. */
	readonly insists?: boolean
	readonly isReadOnly?: boolean
}

export type SessionState =
	| { readonly status: 'closed' }
	| { readonly status: 'connecting' }
	/** `trouble`: why the engine did not answer last. The session stays, and the next answer ends it. */
	| { readonly status: 'connected'; readonly since: string; readonly trouble?: string }
	| { readonly status: 'failed'; readonly message: string }

const closed: SessionState = { status: 'closed' }

/** Ids hold no blank. */
const readOnlySuffix = ' read-only'
const readOnlyKey = (connectionId: string) => `${connectionId}${readOnlySuffix}`

/** A cluster that is down is not asked by every call of every client. */
const firstPauseMs = 1_000
const longestPauseMs = 60_000

/** Open connections, at most one session each, and one more that only reads. A session whose driver was lost is opened anew by the next call. */
export class Sessions {
	readonly #saved: SavedConnections
	readonly #drivers: DriverHost
	readonly #reaches: Reaches
	readonly #leases: ProcessLeases
	readonly #now: () => number
	/** By the connection's id, or by {@link readOnlyKey}; so are the other maps. */
	readonly #open = new Map<string, Promise<Session>>()
	/** Ends an attempt that nobody waits for any more. */
	readonly #attempts = new Map<string, AbortController>()
	readonly #states = new Map<string, SessionState>()
	readonly #failures = new Map<string, { readonly error: unknown; readonly count: number; readonly until: number }>()
	readonly #changed = new Emitter<{ readonly connectionId: string; readonly state: SessionState }>()
	readonly onState = this.#changed.on

	constructor(saved: SavedConnections, drivers: DriverHost, reaches: Reaches, now: () => number = Date.now) {
		this.#saved = saved
		this.#drivers = drivers
		this.#reaches = reaches
		this.#leases = new ProcessLeases((id, grants) => drivers.endGranted(id, grants))
		this.#now = now
	}

	state(connectionId: string): SessionState {
		const [state, readOnly] = [connectionId, readOnlyKey(connectionId)].map(key => this.#states.get(key) ?? closed)
		return (state?.status === 'closed' ? readOnly : state) ?? closed
	}

	/**
	 * The connection's session, opened if need be. Callers that come while it opens share the attempt, so an abort of
	 * one of them does not end it. After a failure the next attempts wait with growing pauses, and are answered with
	 * the last failure meanwhile; a person who asks again `insists`.
	 * @throws HostError `connection/…`, `plugin/…`; DriverError from the driver's connect.
	 */
	async open(connectionId: string, options: SessionOptions = {}): Promise<Session> {
		const saved = this.#saved.get(connectionId)
		const key = options.isReadOnly ? readOnlyKey(connectionId) : connectionId
		const running = this.#open.get(key)
		if (running) {
			const session = await running
			if (session.isAlive) return session
			// Somebody else may have opened it anew while this call waited.
			if (this.#open.get(key) !== running) return this.open(connectionId, options)
			this.#open.delete(key)
		}
		const failure = this.#failures.get(key)
		if (failure && !options.insists && this.#now() < failure.until) throw failure.error
		const opening = this.#connect(key, saved, options)
		this.#open.set(key, opening)
		try {
			const session = await opening
			this.#failures.delete(key)
			return session
		} catch (error) {
			if (this.#open.get(key) === opening) {
				this.#open.delete(key)
				const count = (failure?.count ?? 0) + 1
				const until = this.#now() + Math.min(firstPauseMs * 2 ** (count - 1), longestPauseMs)
				this.#failures.set(key, { error, count, until })
			}
			throw error
		}
	}

	/** Also one that is still connecting. */
	async close(connectionId: string): Promise<void> {
		await Promise.all(
			[connectionId, readOnlyKey(connectionId)].map(async key => {
				const session = await this.#release(key)
				await session?.close()
			}),
		)
	}

	/** Tries settings without saving them; returns what was reached. */
	async test(connection: ReachingConnection, settings: Settings, options: CallOptions = {}): Promise<Session['info']> {
		const manifest = await this.#drivers.ensure(connection.driverId, options)
		const { session } = await this.#openIn(connection, manifest, settings, false, options)
		await session.close()
		return session.info
	}

	/** Lets go of all of them, for a host that stops: the driver processes close what they hold when they are stopped. */
	async releaseAll(): Promise<void> {
		await Promise.all([...this.#open.keys()].map(id => this.#release(id)))
	}

	/** The session that was open, which is nobody's now. */
	async #release(key: string): Promise<Session | undefined> {
		const opening = this.#open.get(key)
		this.#open.delete(key)
		this.#failures.delete(key)
		this.#attempts.get(key)?.abort()
		const session = await opening?.catch(() => undefined)
		// Somebody may have asked for it anew meanwhile.
		if (!this.#open.has(key) && this.#states.has(key)) this.#setState(key, closed)
		return session
	}

	async #connect(key: string, saved: SavedConnection, options: SessionOptions): Promise<Session> {
		this.#setState(key, { status: 'connecting' })
		const attempt = new AbortController()
		this.#attempts.set(key, attempt)
		const { signal } = attempt
		try {
			const { onProgress } = options
			const either = AbortSignal.any(options.signal ? [signal, options.signal] : [signal])
			const manifest = await this.#drivers.ensure(saved.driverId, { onProgress, signal: either })
			const settings = await this.#saved.reveal(saved)
			const isReadOnly = options.isReadOnly ?? false
			const { session, sample } = await this.#openIn(saved, manifest, settings, isReadOnly, { signal, onProgress })
			const connected = { status: 'connected', since: new Date().toISOString() } as const
			this.#setState(key, connected)
			session.onTrouble = trouble => {
				if (this.#states.get(key)?.status !== 'connected') return
				this.#setState(key, { ...connected, ...(trouble !== undefined && { trouble }) })
			}
			void session.lost.then(reason => this.#onLost(key, session, `The driver was lost: ${reason}.`))
			// What is connected to a sample that ended is connected to nobody: the next use starts it again.
			void sample?.ended.then(reason => {
				this.#onLost(key, session, `The sample was lost: ${reason}.`)
				void session.close().catch(() => {})
			})
			return session
		} catch (error) {
			this.#setState(key, { status: 'failed', message: messageOf(error) })
			throw error
		} finally {
			if (this.#attempts.get(key) === attempt) this.#attempts.delete(key)
		}
	}

	/** In a process with what it needs, and with settings as the driver gets them: the live sample's, and files as their text. */
	async #openIn(
		connection: ReachingConnection,
		manifest: Manifest,
		settings: Settings,
		isReadOnly: boolean,
		options: CallOptions,
	): Promise<{ readonly session: Session; readonly sample: RunningSample | undefined }> {
		const { driverId, isSample } = connection
		const { grants, settings: granted } = await this.#reaches.paths(manifest, settings)
		const letGo = this.#leases.take(driverId, grants)
		try {
			const driver = await this.#drivers.process(driverId, grants)
			const sample = isSample ? await this.#drivers.sample(driverId) : undefined
			const resolved = await withFiles(manifest, { ...granted, ...sample?.settings })
			const reaching = this.#reaches.network(connection, manifest, resolved, sample?.ports ?? [])
			const session = await Session.open(driver, { settings: resolved, isReadOnly }, reaching, letGo, options)
			return { session, sample }
		} catch (error) {
			await letGo()
			throw error
		}
	}

	#onLost(key: string, session: Session, reason: string): void {
		void this.#open.get(key)?.then(
			current => {
				if (current !== session) return
				this.#open.delete(key)
				const { message } = new DriverError('not_connected', reason)
				this.#setState(key, { status: 'failed', message })
			},
			() => {},
		)
	}

	#setState(key: string, state: SessionState): void {
		this.#states.set(key, state)
		const connectionId = key.replace(readOnlySuffix, '')
		this.#changed.fire({ connectionId, state: this.state(connectionId) })
	}
}

/** The settings with each file's text in the place of its path. */
async function withFiles(manifest: Manifest, settings: Settings): Promise<Settings> {
	const resolved: Record<string, Settings[string]> = { ...settings }
	for (const field of manifest.form) {
		const path = resolved[field.key]
		if (field.type !== 'file' || field.access || typeof path !== 'string' || path === '') continue
		resolved[field.key] = await readFile(path, 'utf8').catch(error => {
			throw connectionErrors.make('file_unreadable', { field: field.label, path, reason: messageOf(error) })
		})
	}
	return resolved
}
