import { DriverError } from '@roundhouse/kit'
import { isFileText, plainSettings, withShownDefaults } from '@roundhouse/kit/form'
import type { Manifest, Settings } from '@roundhouse/kit/manifest'
import { Emitter } from '../../base/emitter.ts'
import { messageOf } from '../../base/errors.ts'
import { raced } from '../../base/on-abort.ts'
import type { CallOptions } from '../driver-runtime/driver-calls.ts'
import type { RunningSample, Sharing } from '../driver-runtime/driver-pool.ts'
import type { DriverProcess } from '../driver-runtime/driver-process.ts'
import type { SshTrial } from '../network/ssh/tunnels.ts'
import type { SavedConnection } from './connection-fields.ts'
import { identityOf } from './connection-identity.ts'
import { connectionErrors } from './errors.ts'
import { fileFault } from './file-fault.ts'
import type { DialingConnection, NetworkAccess } from './network-access.ts'
import { readText } from './read-text.ts'
import type { SavedConnections } from './saved-connections.ts'
import type { SecretSources, SourcedConnection } from './secret-sources/secret-sources.ts'
import { Session } from './session.ts'

/** The part of the plugin loader that sessions need. */
export interface DriverHost {
	/** The manifests of the installed drivers. */
	installed(): readonly Manifest[]
	/**
	 * Returns the driver's manifest. Installs a missing driver without confirmation (contract, "What the service does",
	 * 7).
	 */
	ensure(driverId: string, options?: CallOptions): Promise<Manifest>
	/** Returns the driver's process. Starts it if it does not run. */
	process(driverId: string, sharing?: Sharing): Promise<DriverProcess>
	/** Counts a connection as a user of the process, until it calls the returned function. */
	lease(driverId: string, sharing: Sharing): () => Promise<void>
	/**
	 * Returns the driver's sample. It runs in a separate process, so that its data outlives the driver's other process.
	 */
	sample(driverId: string): Promise<RunningSample>
}

/**
 * Options of a session. A caller that may only read gets a separate session in which the engine rejects writes, if the
 * driver has such sessions: AI clients with read access, and the user of a connection whose safe mode is `read-only`
 * (the default of `isReadOnly`).
 */
export interface SessionOptions extends CallOptions {
	/** Set when the user retries: connects without the backoff after a failure. */
	readonly skipsBackoff?: boolean
	readonly isReadOnly?: boolean
}

export type SessionState =
	| { readonly status: 'closed' }
	| { readonly status: 'connecting' }
	/** `trouble`: why the engine does not answer. The session stays open. The next answer of the engine clears it. */
	| { readonly status: 'connected'; readonly since: string; readonly trouble?: string }
	| { readonly status: 'failed'; readonly message: string }

const closed: SessionState = { status: 'closed' }

/** Contains a space, which ids never do. */
const readOnlySuffix = ' read-only'
const readOnlyKey = (connectionId: string) => `${connectionId}${readOnlySuffix}`

/** Backoff after a failed connection, so that not every call connects to a cluster that is down. */
const initialBackoffMs = 1_000
const maxBackoffMs = 60_000

interface SessionsOptions {
	readonly saved: SavedConnections
	readonly drivers: DriverHost
	readonly reaches: NetworkAccess
	readonly sources: Pick<SecretSources, 'read' | 'forget'>
	readonly now?: () => number
}

interface SessionRequest {
	readonly connection: DialingConnection
	readonly manifest: Manifest
	readonly settings: Settings
	readonly isReadOnly: boolean
	readonly trial?: SshTrial
}

/**
 * Open sessions: at most one for each connection, plus one read-only session. The next call reopens a session whose
 * driver was lost.
 */
export class Sessions {
	readonly #saved: SavedConnections
	readonly #drivers: DriverHost
	readonly #reaches: NetworkAccess
	readonly #sources: SessionsOptions['sources']
	readonly #now: () => number
	/** Keys of all maps: the connection's id, or its {@link readOnlyKey}. */
	readonly #open = new Map<string, Promise<Session>>()
	/** Identity of the connection when its session was opened (connection-identity.ts). */
	readonly #identities = new Map<string, string>()
	/** Aborts an attempt that is no longer needed. */
	readonly #attempts = new Map<string, AbortController>()
	readonly #states = new Map<string, SessionState>()
	/** By the connection's id: the state of its session, or of its read-only one if that one alone is open. */
	readonly #shown = new Map<string, SessionState>()
	readonly #failures = new Map<string, { readonly error: unknown; readonly count: number; readonly until: number }>()
	readonly #changed = new Emitter<{ readonly connectionId: string; readonly state: SessionState }>()
	readonly onState = this.#changed.on

	constructor({ saved, drivers, reaches, sources, now = Date.now }: SessionsOptions) {
		this.#saved = saved
		this.#drivers = drivers
		this.#reaches = reaches
		this.#sources = sources
		this.#now = now
	}

	state(connectionId: string): SessionState {
		return this.#shown.get(connectionId) ?? closed
	}

	/**
	 * Returns the connection's session, or opens one. Concurrent callers share the attempt, so a caller that aborts only
	 * stops waiting for it. After a failure, calls fail with the same error until an exponential backoff is over.
	 * @throws HostError `connection/…`, `plugin/…`; DriverError from the driver's connect.
	 */
	async open(connectionId: string, options: SessionOptions = {}): Promise<Session> {
		const saved = this.#saved.get(connectionId)
		const isReadOnly = this.#opensReadOnly(saved, options)
		const key = isReadOnly ? readOnlyKey(connectionId) : connectionId
		const identity = identityOf(saved)
		// A session of the connection before it was changed must not be used after the change.
		if (this.#open.has(key) && this.#identities.get(key) !== identity) await this.close(connectionId)
		const running = this.#open.get(key)
		if (running) {
			const session = await this.#waited(key, running, options)
			if (session.isAlive) return session
			// Another caller may have reopened it while this call waited.
			if (this.#open.get(key) !== running) return this.open(connectionId, options)
			this.#open.delete(key)
		}
		const failure = this.#failures.get(key)
		if (failure && !options.skipsBackoff && this.#now() < failure.until) throw failure.error
		const opening = this.#connect(key, saved, { ...options, isReadOnly })
		this.#open.set(key, opening)
		this.#identities.set(key, identity)
		opening.then(
			() => this.#failures.delete(key),
			error => {
				if (this.#open.get(key) !== opening) return
				this.#open.delete(key)
				const count = (failure?.count ?? 0) + 1
				const until = this.#now() + Math.min(initialBackoffMs * 2 ** (count - 1), maxBackoffMs)
				this.#failures.set(key, { error, count, until })
			},
		)
		return this.#waited(key, opening, options)
	}

	/** An open session needs no listener, which would cost every call. */
	#waited(key: string, opening: Promise<Session>, { signal }: SessionOptions): Promise<Session> {
		const isConnecting = this.#states.get(key)?.status === 'connecting'
		return signal && isConnecting ? raced(signal, opening) : opening
	}

	#opensReadOnly({ driverId, safeMode }: SavedConnection, { isReadOnly = safeMode === 'read-only' }: SessionOptions) {
		return isReadOnly && this.#drivers.installed().some(({ id, hasReadOnlySessions: has }) => id === driverId && has)
	}

	/** Closes the sessions of a connection. Aborts an attempt to connect. */
	async close(connectionId: string): Promise<void> {
		await Promise.all(
			[connectionId, readOnlyKey(connectionId)].map(async key => {
				const session = await this.#release(key)
				await session?.close()
			}),
		)
	}

	/**
	 * Tests settings without saving them. Returns the info of the server. Steps of an SSH tunnel are progress, and what `ssh`
	 * says is the error.
	 * @param options `isTrial`: the user has just written where secrets come from
	 */
	async test(
		connection: DialingConnection & SourcedConnection,
		settings: Settings,
		{ isTrial = false, ...options }: CallOptions & { readonly isTrial?: boolean } = {},
	): Promise<Session['info']> {
		const manifest = await this.#drivers.ensure(connection.driverId, options)
		const { signal = new AbortController().signal } = options
		const shown = await this.#sources.read(connection, manifest, withShownDefaults(manifest.form, settings), {
			signal,
			isTrial,
		})
		let [steps, fault] = [0, undefined as Error | undefined]
		const trial: SshTrial = {
			onStep: ({ text }) => options.onProgress?.({ done: ++steps, message: text }),
			onFault(reason) {
				fault = reason
			},
		}
		const request = { connection, manifest, settings: shown, isReadOnly: false, trial }
		const { session } = await this.#openIn(request, options).catch(error => {
			// The driver knows the shorter sentence alone.
			throw fault ?? error
		})
		await session.close()
		return session.info
	}

	/** Releases all sessions when the host stops. The driver processes close their connections when they are stopped. */
	async releaseAll(): Promise<void> {
		await Promise.all([...this.#open.keys()].map(id => this.#release(id)))
	}

	/** Removes a session from the maps. Returns it if it was open. */
	async #release(key: string): Promise<Session | undefined> {
		const opening = this.#open.get(key)
		this.#open.delete(key)
		this.#failures.delete(key)
		this.#attempts.get(key)?.abort()
		const session = await opening?.catch(() => undefined)
		// Another caller may have opened a new session meanwhile.
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
			const settings = await this.#sources.read(saved, manifest, await this.#saved.reveal(saved), { signal: either })
			const isReadOnly = options.isReadOnly ?? false
			const opening = { connection: saved, manifest, settings, isReadOnly }
			const { session, sample } = await this.#openIn(opening, { signal, onProgress })
			const connected = { status: 'connected', since: new Date().toISOString() } as const
			this.#setState(key, connected)
			session.onTrouble = trouble => {
				if (this.#states.get(key)?.status !== 'connected') return
				this.#setState(key, { ...connected, ...(trouble !== undefined && { trouble }) })
			}
			void session.lost.then(reason => this.#onLost(key, session, `The driver was lost: ${reason}.`))
			// A session to a sample that ended is closed. The next use starts the sample again.
			void sample?.ended.then(reason => {
				this.#onLost(key, session, `The sample was lost: ${reason}.`)
				void session.close().catch(() => {})
			})
			return session
		} catch (error) {
			// A token may have ended: the next attempt reads another.
			this.#sources.forget(saved.id)
			this.#setState(key, { status: 'failed', message: messageOf(error) })
			throw error
		} finally {
			if (this.#attempts.get(key) === attempt) this.#attempts.delete(key)
		}
	}

	/**
	 * Opens a session in a process with the needed grants. Resolves the settings: those of the running sample, and the
	 * text of files.
	 */
	async #openIn(
		{ connection, manifest, settings, isReadOnly, trial }: SessionRequest,
		options: CallOptions,
	): Promise<{ readonly session: Session; readonly sample: RunningSample | undefined }> {
		const { driverId, isSample } = connection
		const { grants, settings: granted } = await this.#reaches.paths(manifest, settings)
		// What ends the process of another connection must not end a transaction that the user has open.
		const owner = manifest.console.transaction && connection.id
		const sharing = { grants, owner }
		const release = this.#drivers.lease(driverId, sharing)
		try {
			const driver = await this.#drivers.process(driverId, sharing)
			const sample = isSample ? await this.#drivers.sample(driverId) : undefined
			// Only files that the user entered are read, so this happens before the sample's settings are added.
			const resolved = {
				...(await withFiles(manifest, granted)),
				...plainSettings(manifest.form, sample?.settings ?? {}),
			}
			const dialer = this.#reaches.network({
				connection,
				manifest,
				settings: resolved,
				samplePorts: sample?.ports ?? [],
				trial,
			})
			const opening = { settings: resolved, isReadOnly, console: manifest.console, dialer, release }
			const session = await Session.open(driver, opening, options)
			return { session, sample }
		} catch (error) {
			await release()
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
		const own = this.#states.get(connectionId) ?? closed
		const shown = own.status === 'closed' ? (this.#states.get(readOnlyKey(connectionId)) ?? closed) : own
		this.#shown.set(connectionId, shown)
		this.#changed.fire({ connectionId, state: shown })
	}
}

/** Returns the settings with the text of each file instead of its path. A pasted text stays as it is. */
async function withFiles(manifest: Manifest, settings: Settings): Promise<Settings> {
	const resolved: Record<string, Settings[string]> = { ...settings }
	for (const field of manifest.form) {
		const path = resolved[field.key]
		if (field.type !== 'file' || field.access || typeof path !== 'string' || path === '') continue
		if (isFileText(field, path)) continue
		const { text } = await readText(path).catch(error => {
			throw connectionErrors.make('file_unreadable', { field: field.label, ...fileFault(path, error) })
		})
		resolved[field.key] = text
	}
	return resolved
}
