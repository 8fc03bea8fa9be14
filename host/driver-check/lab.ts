import { randomBytes } from 'node:crypto'
import { cutText, type DriverError, decode, isDriverError } from '@roundhouse/kit'
import { type EncodedMethod, faultOfAnswer } from '@roundhouse/kit/answer-shape'
import type { Conformance, StartedFixture } from '@roundhouse/kit/conformance'
import { plainSettings, withShownDefaults } from '@roundhouse/kit/form'
import type { Settings } from '@roundhouse/kit/manifest'
import type { ConnectionMethod, ConnectionParams, ResultOf } from '@roundhouse/kit/wire/methods'
import { messageOf } from '../../base/errors.ts'
import { grantedPaths } from '../connections/granted-paths.ts'
import { Session } from '../connections/session.ts'
import type { CallOptions } from '../driver-runtime/driver-calls.ts'
import { DriverProcess } from '../driver-runtime/driver-process.ts'
import { addressesOf, socketPathsOf } from '../network/address.ts'
import { GuardedDialer } from '../network/guarded-dialer.ts'
import { checkErrors } from './errors.ts'
import { CaseFailure } from './findings.ts'
import { conformanceFile, refuseGrants } from './load-conformance.ts'
import type { Subject } from './subject.ts'

/** The type of a decoded answer. */
type Decoded<M extends EncodedMethod> = ReturnType<typeof decode<NonNullable<ResultOf<M>['__of']>>>

/**
 * Where the cases run: the driver's process in the production sandbox, the fixture that it connects to, one connection
 * that cases share, and all that the driver printed.
 */
export class Lab implements AsyncDisposable {
	readonly subject: Subject
	readonly file: Conformance
	/** Given as a secret; must occur nowhere. */
	readonly canary = `canary-${randomBytes(8).toString('hex')}`
	/** What the driver printed to stdout or stderr, and what it threw. */
	readonly printed: string[] = []
	/** What the driver logged. */
	readonly logged: string[] = []
	/** Messages of the driver's errors. */
	readonly messages: string[] = []
	/** Called before each call. */
	onCall = () => {}
	#lastCall = 'the start of the process'
	/** Time to the hello of the first process. `undefined` if none started. */
	startMs: number | undefined
	readonly #isUnconfined: boolean
	#settings: Settings = {}
	#samplePorts: readonly number[] = []
	#process: Promise<DriverProcess> | undefined
	#session: Promise<Session> | undefined
	readonly #owned = new AsyncDisposableStack()

	/** @param isUnconfined whether the settings of the fixture may name files, folders and sockets of this machine */
	constructor(subject: Subject, file: Conformance, isUnconfined: boolean) {
		this.subject = subject
		this.file = file
		this.#isUnconfined = isUnconfined
	}

	/** Starts what the driver connects to. @throws HostError `check/fixture_failed`, caused by a {@link CaseFailure} */
	async startFixture(): Promise<void> {
		try {
			await this.#startFixture()
			if (!this.#isUnconfined) refuseGrants(this.subject.manifest.form, this.#settings)
		} catch (error) {
			const reason = messageOf(error).replace(/\.$/, '')
			const cause = new CaseFailure(error instanceof CaseFailure ? error.place : conformanceFile, reason)
			throw checkErrors.make('fixture_failed', { reason }, { cause })
		}
	}

	/** The call that was made last, for findings. */
	get lastCall(): string {
		return this.#lastCall
	}

	set lastCall(call: string) {
		this.#lastCall = call
		this.onCall()
	}

	/** Values of the connection form, with the defaults that the form shows. */
	get settings(): Settings {
		return this.#settings
	}

	async #startFixture(): Promise<void> {
		const { fixture } = this.file
		const { form } = this.subject.manifest
		if ('sample' in fixture) {
			const process = await this.startProcess()
			const { settings } = await process.startSample()
			this.#samplePorts = process.network.ports
			this.#settings = withShownDefaults(form, { ...plainSettings(form, settings), ...fixture.settings })
			return
		}
		const started: StartedFixture = 'start' in fixture ? await fixture.start() : fixture
		this.#owned.defer(async () => started.stop?.())
		this.#settings = withShownDefaults(form, started.settings)
	}

	/** Starts another process of the driver, which ends with the lab. @param settings whose files and folders it may use */
	async startProcess(settings: Settings = this.#settings): Promise<DriverProcess> {
		const log = {
			info: (line: string) => void this.logged.push(line),
			warn: (line: string) => void this.printed.push(line),
		}
		const { grants } = await grantedPaths(this.subject.manifest.form, settings, '')
		const process = await DriverProcess.start({ ...this.subject.program, grants }, log)
		this.#owned.defer(() => process.stop())
		return process
	}

	/** Returns the process that the cases share. A case may have ended the one before. */
	async process(): Promise<DriverProcess> {
		const running = await this.#process?.catch(() => undefined)
		if (running?.isAlive) return running
		this.#process = this.startProcess()
		return this.#process
	}

	/** Ends the process that the cases share. The next use starts another one. */
	async endProcess(): Promise<void> {
		const process = await this.#process?.catch(() => undefined)
		await process?.stop()
		await process?.outputEnded
	}

	/** Opens a connection, with the reach that its form gives it. No user answers questions for further addresses. */
	async open(
		settings: Settings = this.#settings,
		{ process, ...options }: CallOptions & { readonly process?: DriverProcess } = {},
	): Promise<Session> {
		const { manifest } = this.subject
		if (!this.#isUnconfined) refuseGrants(manifest.form, settings)
		const sample = this.#samplePorts.map(port => ({ host: '127.0.0.1', port }))
		const named = manifest.permissions.network === 'none' ? [] : [...addressesOf(manifest.form, settings), ...sample]
		const dialer = new GuardedDialer({
			driver: manifest.displayName,
			named,
			socketPaths: socketPathsOf(manifest.form, settings),
			remembered: () => undefined,
			ask: async () => 'unattended',
			note: () => {},
			policy: { ownPorts: () => [], proxyFor: () => undefined },
		})
		this.lastCall = 'connect'
		const isShared = manifest.form.every(({ key, access }) => !access || settings[key] === this.#settings[key])
		const driver = process ?? (await (isShared ? this.process() : this.startProcess(settings)))
		const opening = { settings, isReadOnly: false, console: manifest.console, dialer, release: async () => {} }
		return this.#heard(Session.open(driver, opening, options))
	}

	/** Returns the connection that the cases share. */
	async session(): Promise<Session> {
		const open = await this.#session?.catch(() => undefined)
		if (open?.isAlive) return open
		this.#session = this.open()
		return this.#session
	}

	/** Calls a method on the shared connection. @throws DriverError */
	async call<M extends ConnectionMethod>(
		method: M,
		params: ConnectionParams<M>,
		options?: CallOptions,
	): Promise<ResultOf<M>> {
		const session = await this.session()
		this.lastCall = describeCall(method, params)
		return this.#heard(session.call(method, params, options))
	}

	/** Calls a method whose answer the driver encodes, and reads it. @throws DriverError, Fault */
	async read<M extends EncodedMethod & ConnectionMethod>(
		method: M,
		params: ConnectionParams<M>,
		options?: CallOptions,
	): Promise<Decoded<M>> {
		const answer = await this.call(method, params, options)
		const place = this.lastCall
		const decoded = decode(answer as Uint8Array)
		const fault = faultOfAnswer(method, decoded)
		if (fault !== undefined) throw new CaseFailure(place, `The answer has another shape: ${fault}.`)
		// The shape was checked.
		return decoded as Decoded<M>
	}

	/** Returns the error that a call fails with, or `undefined` if it succeeds. */
	async refusal(work: () => Promise<unknown>): Promise<DriverError | undefined> {
		try {
			await work()
			return undefined
		} catch (error) {
			if (isDriverError(error)) return error
			throw error
		}
	}

	async #heard<T>(work: Promise<T>): Promise<T> {
		try {
			return await work
		} catch (error) {
			this.messages.push(messageOf(error), String(error instanceof Error ? error.message : error))
			throw error
		}
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#owned.disposeAsync()
	}
}

const longestArgument = 60

/** `describeTable "books"`: the method, and the arguments that say where to look. */
function describeCall(method: string, params: object): string {
	const shown = Object.entries(params).flatMap(([name, value]) => {
		if (name === 'grid') return []
		const text = JSON.stringify(value) ?? ''
		return [cutText(text, longestArgument)]
	})
	return [method, ...shown].join(' ')
}
