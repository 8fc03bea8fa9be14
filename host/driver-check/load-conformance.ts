import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, lstat, readdir, realpath } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { Duplex } from 'node:stream'
import { deserialize } from 'node:v8'
import type { Conformance, StartedCertificates, StartedFixture } from '@roundhouse/kit/conformance'
import type { Manifest, Settings } from '@roundhouse/kit/manifest'
import { encodeFrame, FrameReader } from '@roundhouse/kit/wire/frames'
import { channelFd, type HostWatch } from '@roundhouse/kit/wire/messages'
import { ownersOf } from '@roundhouse/registry/publisher/confined-imports'
import { z } from 'zod'
import { messageOf } from '../../base/errors.ts'
import { layout } from '../../base/layout.ts'
import { reasonOf } from '../../base/reason-of.ts'
import { withoutControls } from '../../base/terminal-text.ts'
import { hardCeilingBytes } from '../driver-runtime/resident-memory.ts'
import { makeScratch, type Scratch } from '../driver-runtime/scratch.ts'
import { uncoveredModules } from '../driver-runtime/spawn-driver.ts'
import type { Answer, Call, Failure, FunctionName } from './conformance-program.ts'
import { declaredPackages } from './declared-packages.ts'
import { checkErrors } from './errors.ts'
import { CaseFailure } from './findings.ts'

export const conformanceFile = 'conformance.ts'

/** Checks the outline only: the file is the author's own code, and its types say the rest. */
const outline = z.looseObject({
	fixture: z.union([
		z.looseObject({ settings: z.record(z.string(), z.unknown()) }),
		z.looseObject({ sample: z.literal(true) }),
	]),
})

/** A conformance file whose functions run in another process, until it is disposed of. */
export interface LoadedConformance extends AsyncDisposable {
	readonly file: Conformance
}

/** Limits of what the process of a conformance file may take. */
export interface ConformanceLimits {
	/** Longest time until the file is loaded. */
	readonly loadMs: number
	/** Longest time of a call, for example of a fixture that starts an engine. */
	readonly callMs: number
	/** Time for a fixture to stop, before its process is killed. */
	readonly stopMs: number
	/** Largest message of the process. */
	readonly messageBytes: number
}

const usualLimits: ConformanceLimits = {
	loadMs: 60_000,
	callMs: 300_000,
	stopMs: 10_000,
	messageBytes: 16 * 1024 * 1024,
}
/** Ceiling of the memory of a process without the rights of the user. */
const memoryMb = 2048

export interface LoadOptions {
	/** Whether the process has all rights of the user, to start a server for example. */
	readonly isUnconfined: boolean
	readonly limits?: ConformanceLimits
}

/**
 * Loads the conformance file of a driver in another process. That process reads the driver's folder and the packages that its package.json names,
 * writes a temporary folder, uses the network, and has no variables of the environment.
 * @returns `undefined` if the folder has none @throws HostError `check/conformance_unreadable`, caused by a
 * {@link CaseFailure} with its place
 */
export async function loadConformance(folder: string, options: LoadOptions): Promise<LoadedConformance | undefined> {
	const path = join(folder, conformanceFile)
	const isThere = await access(path).then(
		() => true,
		() => false,
	)
	if (!isThere) return undefined
	let conformance: ConformanceProcess | undefined
	try {
		const real = await realpath(path)
		// The process would read the folder that the link leads to.
		if (real !== join(await realpath(folder), conformanceFile)) throw new CaseFailure(conformanceFile, 'it is a link')
		const started = await ConformanceProcess.start(real, options)
		conformance = started
		return { file: await started.file(), [Symbol.asyncDispose]: () => started.end() }
	} catch (error) {
		await conformance?.end()
		const fault =
			error instanceof CaseFailure
				? error
				: new CaseFailure(conformanceFile, error instanceof z.ZodError ? reasonOf(error) : messageOf(error))
		throw checkErrors.make('conformance_unreadable', { file: conformanceFile, reason: fault.message }, { cause: fault })
	}
}

/**
 * Checks that the values of a form, which a conformance file chose, give a driver no file, folder or Unix socket of the
 * machine. @throws Fault
 */
export function refuseGrants(form: Manifest['form'], settings: Settings): void {
	const field = form.find(({ key, access, isSocketPath }) => (access || isSocketPath) && settings[key])
	if (!field) return
	const reason = `its settings give the driver a path of this machine (${field.key}). With --unconfined they may`
	throw new CaseFailure(conformanceFile, reason)
}

/** Returns the place in the author's folder of an error of {@link loadConformance} or of the fixture. */
export function conformancePlace(error: unknown): string | undefined {
	return error instanceof Error && error.cause instanceof CaseFailure ? error.cause.place : undefined
}

/** The process of a conformance file (conformance-program.ts). */
class ConformanceProcess {
	readonly #child: ChildProcess
	readonly #channel: Duplex
	readonly #scratch: Scratch
	readonly #limits: ConformanceLimits
	readonly #loaded = Promise.withResolvers<Extract<Answer, { readonly loaded: unknown }>>()
	readonly #calls = new Map<number, PromiseWithResolvers<unknown>>()
	#lastId = 0

	private constructor(child: ChildProcess, channel: Duplex, { scratch, limits }: Place) {
		this.#child = child
		this.#channel = channel
		this.#scratch = scratch
		this.#limits = limits
		const reader = new FrameReader({ jsonBytes: 100, attachedBytes: limits.messageBytes }, (_, attached) =>
			this.#receive(attached),
		)
		channel
			.on('error', () => {})
			.on('data', (chunk: Buffer) => {
				try {
					if (!channel.destroyed) reader.push(chunk)
				} catch {
					this.#refuse(`its process sent a message of another form, or of more than ${limits.messageBytes} bytes`)
				}
			})
		// The process may end before `file` waits for it.
		this.#loaded.promise.catch(() => {})
		child.once('error', error => this.#failAll(error))
		// What it prints does not mix with the report, and does not control the terminal.
		for (const output of [child.stdout, child.stderr])
			output?.setEncoding('utf8').on('data', (text: string) => process.stderr.write(withoutControls(text)))
		child.once('exit', () => this.#failAll(new CaseFailure(conformanceFile, 'its process ended')))
	}

	static async start(path: string, { isUnconfined, limits = usualLimits }: LoadOptions): Promise<ConformanceProcess> {
		const scratch = await makeScratch()
		const flags = isUnconfined ? [] : await flagsOf(path, scratch.path).catch(error => endWith(scratch, error))
		// Without the rights of the user, the process has started nothing that outlives it.
		const watched: HostWatch = isUnconfined
			? { hostPid: process.pid, mostBytes: Number.MAX_SAFE_INTEGER, graceMs: limits.stopMs }
			: { hostPid: process.pid, mostBytes: hardCeilingBytes(memoryMb) }
		const child = spawn(process.execPath, [...flags, layout.conformanceProgram, path, JSON.stringify(watched)], {
			env: isUnconfined ? process.env : { TMPDIR: scratch.path },
			// Not Node's IPC, because its messages have no size limit.
			stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
		})
		const channel = child.stdio[channelFd]
		if (!(channel instanceof Duplex)) return await endWith(scratch, new Error('it has no pipe to its process'))
		const conformance = new ConformanceProcess(child, channel, { scratch, limits })
		if (child.pid !== undefined) await scratch.usedBy(child.pid)
		return conformance
	}

	/** @throws Fault, z.ZodError */
	async file(): Promise<Conformance> {
		const { loadMs } = this.#limits
		const { loaded, functions } = await within(this.#loaded.promise, loadMs, 'it is not loaded')
		const has = new Set(functions)
		const file = has.has('start') ? z.looseObject({}).parse(loaded) : outline.parse(loaded)
		// The author's types say what the rest of the file and the values of its functions are.
		return {
			...file,
			...(has.has('start') && { fixture: { start: () => this.#started('start') } }),
			...(has.has('certificates') && {
				certificates: settings => this.#started<StartedCertificates>('certificates', settings),
			}),
			...(has.has('manyTables') && { manyTables: count => this.#started('manyTables', count) }),
		} as Conformance
	}

	/** Ends the process, after it stopped what it started. */
	async end(): Promise<void> {
		const { exitCode, signalCode } = this.#child
		if (this.#child.pid !== undefined && exitCode === null && signalCode === null) {
			const exit = once(this.#child, 'exit')
			this.#channel.destroy()
			const killing = setTimeout(() => this.#child.kill('SIGKILL'), this.#limits.stopMs)
			await exit
			clearTimeout(killing)
		}
		await this.#scratch.remove()
	}

	async #started<T extends StartedFixture | StartedCertificates>(
		name: Exclude<FunctionName, 'stop'>,
		...args: readonly unknown[]
	): Promise<T> {
		const { id, value } = this.#call(name, args)
		const started = (await value) as T
		return { ...started, stop: async () => void (await this.#call('stop', [id]).value) }
	}

	#call(name: FunctionName, args: readonly unknown[]): { readonly id: number; readonly value: Promise<unknown> } {
		const id = ++this.#lastId
		const call = Promise.withResolvers<unknown>()
		this.#calls.set(id, call)
		const message: Call = { id, name, args }
		if (this.#channel.destroyed) call.reject(new CaseFailure(conformanceFile, 'its process ended'))
		else for (const piece of encodeFrame(message)) this.#channel.write(piece)
		return { id, value: within(call.promise, this.#limits.callMs, `its function \`${name}\` has not returned`) }
	}

	#receive(attached: Uint8Array): void {
		const { success, data: answer } = answerSchema.safeParse(deserialize(attached))
		if (!success) return this.#refuse('its process sent a message of another form')
		if ('loaded' in answer) return this.#loaded.resolve(answer)
		if (!('id' in answer)) return this.#loaded.reject(faultOf(answer.failed))
		const call = this.#calls.get(answer.id)
		// Otherwise the author's code could keep this process busy.
		if (!call) return this.#refuse('its process sent an answer without a call')
		this.#calls.delete(answer.id)
		if ('failed' in answer) call.reject(faultOf(answer.failed))
		else call.resolve(answer.value)
	}

	/** Reads nothing more of the process. */
	#refuse(reason: string): void {
		this.#failAll(new CaseFailure(conformanceFile, reason))
		this.#channel.destroy()
	}

	#failAll(error: Error): void {
		this.#loaded.reject(error)
		for (const call of this.#calls.values()) call.reject(error)
		this.#calls.clear()
	}
}

interface Place {
	readonly scratch: Scratch
	readonly limits: ConformanceLimits
}

/** Waits for a process with a limit. @param what the reason of a failure, as a clause @throws Fault */
async function within<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
	const late = Promise.withResolvers<never>()
	const timer = setTimeout(
		() => late.reject(new CaseFailure(conformanceFile, `${what} after ${ms / 1000} seconds`)),
		ms,
	)
	try {
		return await Promise.race([work, late.promise])
	} finally {
		clearTimeout(timer)
	}
}

async function endWith(scratch: Scratch, error: unknown): Promise<never> {
	await scratch.remove()
	throw error
}

const failureSchema = z.object({ reason: z.string(), place: z.string().optional() })
/** What the program sends. The author's code runs in the same process. */
const answerSchema: z.ZodType<Answer> = z.union([
	z.object({ loaded: z.unknown(), functions: z.array(z.enum(['start', 'certificates', 'manyTables', 'stop'])) }),
	z.object({ id: z.int(), failed: failureSchema }),
	z.object({ failed: failureSchema }),
	z.object({ id: z.int(), value: z.unknown() }),
])

const faultOf = ({ reason, place = conformanceFile }: Failure) => new CaseFailure(place, reason)

/** Node's permissions of the process: the author's folder, the packages that it declares, and the kit. */
async function flagsOf(path: string, scratch: string): Promise<string[]> {
	const { folder, modules, kit } = await ownersOf(dirname(path))
	const packages = await declaredPackages(folder, modules)
	const own = [...(await partsOf(folder)), ...packages.values()]
	const read = new Set([layout.conformanceProgram, ...own, ...packages.keys(), ...kit, scratch])
	const odd = [folder, ...read].find(path => notNameable.test(path))
	if (odd !== undefined)
		throw new CaseFailure(conformanceFile, `the path ${odd} has a character that permissions cannot name`)
	for (const place of new Set(own)) await refuseLinks(place, { folder, allowed: [...own, ...kit] })
	return [
		'--permission',
		...[...read].map(path => `--allow-fs-read=${path}`),
		`--allow-fs-write=${scratch}`,
		'--allow-net',
		// For the thread that ends the process with its host. The program drops this permission.
		'--allow-worker',
		...uncoveredModules,
		'--disable-sigusr1',
		'--freeze-flags-after-init',
		'--no-warnings',
	]
}

/** In a permission, Node takes the first for a pattern, and splits a list at the second. */
const notNameable = /[*,]/

/** Returns the paths of an author's folder without its `node_modules`, which may have far more than the driver uses. */
async function partsOf(folder: string): Promise<string[]> {
	const names = await readdir(folder)
	if (!names.includes('node_modules')) return [folder]
	// A file that permissions cannot name is not readable.
	return names.filter(name => name !== 'node_modules' && !notNameable.test(name)).map(name => join(folder, name))
}

interface Allowed {
	readonly folder: string
	readonly allowed: readonly string[]
}

/** Node's permissions follow a link out of what is allowed, to a private key for example. @throws Fault */
async function refuseLinks(place: string, { folder, allowed }: Allowed): Promise<void> {
	const stat = await lstat(place)
	const entries = stat.isDirectory() ? await readdir(place, { recursive: true, withFileTypes: true }) : []
	const links = entries.filter(entry => entry.isSymbolicLink()).map(entry => join(entry.parentPath, entry.name))
	for (const path of stat.isSymbolicLink() ? [place] : links) {
		const target = await realpath(path).catch(() => undefined)
		if (target === undefined || allowed.some(place => target === place || target.startsWith(place + sep))) continue
		throw new CaseFailure(conformanceFile, `the link ${relative(folder, path)} leads out of the folder`)
	}
}
