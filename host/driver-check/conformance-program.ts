import { readFile } from 'node:fs/promises'
import Module, { createRequire } from 'node:module'
import net from 'node:net'
import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { serialize } from 'node:v8'
import type { Conformance, StartedCertificates, StartedFixture } from '@roundhouse/kit/conformance'
import { dropCapabilities } from '@roundhouse/kit/runtime/capabilities'
import { endWithHost, watchHost } from '@roundhouse/kit/runtime/end-with-host'
import { encodeFrame, FrameReader } from '@roundhouse/kit/wire/frames'
import { channelFd, type HostWatch } from '@roundhouse/kit/wire/messages'
import { messageOf } from '../../base/errors.ts'
import { authorFile, authorPlace } from './author-place.ts'

/**
 * The program of the process that loads a conformance file (load-conformance.ts). Arguments: the path of the file, and
 * what the process monitors. The host has the values of the file, and asks this process to call its functions. The host
 * sends calls as frames, and answers are serialized values attached to frames.
 */

/** The functions of a conformance file, and the one that stops what an earlier call started. */
export type FunctionName = 'start' | 'certificates' | 'manyTables' | 'stop'

export interface Call {
	readonly id: number
	readonly name: FunctionName
	readonly args: readonly unknown[]
}

/** An error, with the author's file and line if they are known. */
export interface Failure {
	readonly reason: string
	readonly place?: string | undefined
}

export type Answer =
	/** The file without its functions, and the names of those. */
	| { readonly loaded: unknown; readonly functions: readonly FunctionName[] }
	/** The file cannot be loaded. */
	| { readonly failed: Failure }
	| { readonly id: number; readonly value: unknown }
	| { readonly id: number; readonly failed: Failure }

const [file = '', watched = ''] = process.argv.slice(2)
const folder = dirname(file)
// The author's code does not get it.
const { registerHooks } = Module
const channel = new net.Socket({ fd: channelFd, readable: true, writable: true })
const watch: HostWatch = JSON.parse(watched)
// Also a file with the rights of the user may never return to the event loop, where it would hear that the host is gone.
if (process.permission === undefined) await watchHost(watch)
else {
	await endWithHost(watch)
	// Node's permissions cover neither signals and flags of V8 nor sockets by a path.
	dropCapabilities()
	refuseSocketPaths()
}

let functions: Partial<Record<FunctionName, (...args: never[]) => unknown>> = {}
/** How to stop what a call started, by the number of the call. */
const stops = new Map<number, () => unknown>()

const reader = new FrameReader({ jsonBytes: Infinity, attachedBytes: 0 }, received => {
	// The host is from the same build.
	const { id, name, args } = received as Call
	call(id, name, args).then(
		value => send({ id, value }),
		(error: unknown) => send({ id, failed: { reason: reasonOf(error), place: authorPlace(error, folder) } }),
	)
})
channel.on('data', (chunk: Buffer) => reader.push(chunk))
// The host has ended, or needs this process no longer.
channel
	.on('error', () => {})
	.on('close', async () => {
		await Promise.allSettled([...stops.values()].map(stop => stop()))
		process.exit()
	})
await load()

async function load(): Promise<void> {
	let lastLoaded: string | undefined
	let unresolved: Import | undefined
	const hooks = registerHooks({
		load(url, context, next) {
			lastLoaded = url
			return next(url, context)
		},
		resolve(specifier, context, next) {
			try {
				return next(specifier, context)
			} catch (error) {
				// A new folder has no copy of the kit.
				if (!/^@roundhouse\/kit(\/|$)/.test(specifier)) {
					unresolved ??= { specifier, importer: context.parentURL ?? '' }
					throw error
				}
				const path = createRequire(import.meta.url).resolve(specifier)
				return { url: pathToFileURL(path).href, shortCircuit: true }
			}
		},
	})
	try {
		const { default: conformance }: { readonly default?: Conformance } = await import(pathToFileURL(file).href)
		const { certificates, manyTables, fixture, ...rest } = conformance ?? {}
		const start = fixture && 'start' in fixture ? fixture.start.bind(fixture) : undefined
		functions = {
			...(start && { start }),
			...(certificates && { certificates: certificates.bind(conformance) }),
			...(manyTables && { manyTables: manyTables.bind(conformance) }),
			stop: (started: number) => stops.get(started)?.(),
		}
		// What `start` makes takes the place of the fixture.
		const loaded = conformance && (start ? rest : { ...rest, fixture })
		send({ loaded, functions: Object.keys(functions) as FunctionName[] })
	} catch (error) {
		const place =
			authorPlace(error, folder) ??
			(unresolved && (await placeOfImport(unresolved))) ??
			// Of an early error, the stack names no file. The module that was loaded last has it.
			(error instanceof SyntaxError && lastLoaded !== undefined ? authorFile(lastLoaded, folder) : undefined)
		send({ failed: { reason: reasonOf(error), place } })
	} finally {
		hooks.deregister()
	}
}

async function call(id: number, name: FunctionName, args: readonly unknown[]): Promise<unknown> {
	// The kit's types say what a function takes; the host passes that.
	const value = await functions[name]?.(...(args as never[]))
	if (name === 'stop') return undefined
	const { stop, settings, trusted, unknown, wrongName, none } = value as Partial<StartedFixture & StartedCertificates>
	if (stop) stops.set(id, stop.bind(value))
	// An author's fixture may have further members, which no message can hold.
	return settings ? { settings } : { trusted, unknown, wrongName, none }
}

function send(answer: Answer): void {
	for (const piece of encodeFrame({}, serialize(answer))) channel.write(piece)
}

/**
 * Refuses Unix sockets: connections, for example to that of Docker, and servers, whose files would be made at any path.
 * All of them use one class of Node, also those that a file of the author makes by itself.
 */
function refuseSocketPaths(): void {
	const pipe: unknown = Reflect.get(channel, '_handle')
	const prototype: unknown = typeof pipe === 'object' && Object.getPrototypeOf(pipe)
	if (typeof prototype !== 'object' || prototype === null) throw new Error('Node has no class of Unix sockets.')
	const refuse = () => {
		throw Object.assign(new Error('denied'), { code: 'ERR_ACCESS_DENIED', permission: 'a Unix socket' })
	}
	for (const name of ['bind', 'connect']) {
		if (typeof Reflect.get(prototype, name) !== 'function') throw new Error(`The Unix sockets of Node have no ${name}.`)
		Object.defineProperty(prototype, name, { value: refuse, writable: false, configurable: false })
	}
}

function reasonOf(error: unknown): string {
	const { code, permission, resource } = error as { readonly [member: string]: unknown }
	// Without the permission model, Node knows each of its modules that a file of the author can name.
	if (code !== 'ERR_ACCESS_DENIED' && code !== 'ERR_UNKNOWN_BUILTIN_MODULE') return messageOf(error)
	const denied = [permission, resource].filter(Boolean).join(' ') || messageOf(error)
	return `it may read its folder and the packages that its package.json names, and use the network, and was denied more (${denied}). With --unconfined it runs with your rights`
}

/** An import that cannot be resolved. */
interface Import {
	readonly specifier: string
	/** URL of the module that contains it. */
	readonly importer: string
}

/** Returns the file and line of an import, if a file of the author contains it. */
async function placeOfImport({ specifier, importer }: Import): Promise<string | undefined> {
	const path = authorFile(importer, folder)
	if (path === undefined) return undefined
	const lines = (await readFile(fileURLToPath(importer), 'utf8')).split('\n')
	const at = lines.findIndex(line => line.includes(`'${specifier}'`) || line.includes(`"${specifier}"`))
	return at < 0 ? path : `${path}:${at + 1}`
}
