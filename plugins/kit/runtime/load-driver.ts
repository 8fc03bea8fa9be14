import { sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Driver } from '../api/driver.ts'
import { placeInSource } from './place-in-source.ts'

/** Why a driver's module cannot be used. The message continues the sentence "The driver X did not start:". */
export class LoadFailure extends Error {
	override readonly name = 'LoadFailure'
}

/** Loads the driver of a module. @throws LoadFailure with words for the driver's author */
export async function loadDriver(entry: string): Promise<Driver> {
	let module: { readonly default?: Partial<Driver> }
	try {
		module = await import(pathToFileURL(entry).href)
	} catch (error) {
		if (error instanceof Error) process.stderr.write(`${framesOf(error)}\n`)
		throw new LoadFailure(`its module could not be loaded: ${describeFailure(error)}`)
	}
	if (typeof module.default?.connect === 'function') return module.default as Driver
	throw new LoadFailure('its module exports no driver. Write: export default defineDriver({ connect, … })')
}

/** What a driver does instead of what Node's permission model refuses, by the name of the permission. */
export const refused: Readonly<Record<string, string>> = {
	FileSystemRead:
		'reads a file outside of its package. It may read files of its package, and files that the user chooses in a form field with `access`',
	FileSystemWrite: 'writes a file. It may write only in context.scratchFolder',
	ChildProcess: 'starts a program, which no driver may do',
	WorkerThreads: 'starts a thread, which no driver may do',
	Net: 'opens a socket itself. Use context.connect and `permissions.network` of the manifest',
	Addon: 'loads native code, which no driver may do',
}

/** Describes an error of a driver for its author: the manifest's words for a permission, and the driver's own line. */
export function describeFailure(error: unknown): string {
	if (!(error instanceof Error)) {
		const thrown = JSON.stringify(error) ?? String(error)
		// Only an error knows its place. The bundler writes a thrown literal as JSON.
		return `it threw ${thrown}, which is not an Error${placeInSource(exactly(`throw ${thrown}`))}`
	}
	const { code, permission } = error as { readonly code?: string; readonly permission?: string }
	// An error of a socket does not name the permission.
	const denied = permission ?? (error.message.includes('--allow-net') ? 'Net' : '')
	const instead = code === 'ERR_ACCESS_DENIED' ? refused[denied] : undefined
	const what = instead ? `it ${instead}` : `${error.name}: ${error.message}`
	const [builtin] = code === 'ERR_UNKNOWN_BUILTIN_MODULE' ? (/node:[\w/]+/.exec(error.message) ?? []) : []
	// Node refuses an import before the module runs, and a socket after its caller has returned. Then the place is that
	// of the import.
	if (builtin !== undefined) return `${what}, which no driver may use${placeInSource(exactly(`"${builtin}"`))}`
	return what + (authorFrame(error) || (denied === 'Net' ? placeInSource(socketModule) : ''))
}

const socketModule = /"(?:node:)?(?:net|tls|dgram|https?|http2)"/

const exactly = (text: string) => new RegExp(text.replaceAll(/\W/g, '\\$&'))

/** Returns the stack without its message, which names flags of Node where {@link describeFailure} names the manifest. */
export function framesOf({ stack = '' }: Error): string {
	return stack
		.split('\n')
		.filter(line => /^\s+at /.test(line))
		.join('\n')
}

/**
 * Returns the first place of the stack in the driver's own code, as the source map names it. The working folder is the
 * driver's folder.
 */
export function authorFrame({ stack = '' }: Error): string {
	const folder = process.cwd() + sep
	const places = stack.replaceAll(pathToFileURL(folder).href, folder).split(folder).slice(1)
	const own = places.find(place => !place.startsWith('node_modules')) ?? places[0]
	const place = own && /^[^\s)]+/.exec(own)?.[0]
	return place ? ` (${place})` : ''
}
