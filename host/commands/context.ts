import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defineErrors } from '../../base/errors.ts'
import type { FileLock } from '../../base/file-lock.ts'
import { layout } from '../../base/layout.ts'
import { silentLog } from '../../base/log.ts'
import { type ReleaseFacts, releaseFacts } from '../../base/release.ts'
import { openSupportDirectory, type SupportDirectory } from '../../base/support-directory.ts'
import { withoutControls } from '../../base/terminal-text.ts'
import type { HostMethod, ParamsOf, ResultOf } from '../api/api.ts'
import { type HostClient, hostOrLock } from '../api/client.ts'
import { ConsoleSessions } from '../api/console-sessions.ts'
import { Grids } from '../api/grids.ts'
import { Imports } from '../api/imports.ts'
import type { Method } from '../api/methods/method.ts'
import { hostMethods } from '../api/methods.ts'
import { olderHostNotice } from '../api/older-host.ts'
import { Reviews } from '../api/reviews.ts'
import type { RegistrySource } from '../plugin-loader/drivers.ts'
import { openServices, type ServicesOptions } from '../services.ts'

/** Where the program was started from. */
export interface Launch {
	/** The folder of the checkout. */
	readonly checkout: string
	/** The launcher's path, to start another command with. */
	readonly launcher: string
}

/** What every command knows. */
export interface CommandContext {
	readonly launch: Launch
	/** Print JSON for programs instead of text. */
	readonly json: boolean
	/** Address and fingerprint of a default registry other than the checkout's. */
	readonly registry?: { readonly url?: string | undefined; readonly key?: string | undefined } | undefined
}

export const commandErrors = defineErrors('command', {
	usage: '{reason}',
	no_host: 'No host is running. Start one with: roundhouse serve',
})

/** Errors that the caller of a command can correct. */
export function usageError(reason: string): Error {
	return commandErrors.make('usage', { reason })
}

/** Prints one answer: `value` as a line of JSON, or `text`. Neither can control the terminal. */
export function print(context: CommandContext, value: unknown, text: string): void {
	process.stdout.write(`${withoutControls(context.json ? JSON.stringify(value) : text)}\n`)
}

/**
 * Returns the default registry: the named one, or that of the release, or the checkout's.
 * @throws HostError `command/usage` if an address is named without its fingerprint
 */
export async function defaultRegistry({ launch, registry }: CommandContext): Promise<RegistrySource> {
	const url = registry?.url ?? process.env.ROUNDHOUSE_REGISTRY
	const key = registry?.key ?? process.env.ROUNDHOUSE_REGISTRY_KEY
	const release = releaseFacts()
	if (release) return officialRegistry(release, { url, key })
	const folder = join(launch.checkout, 'dist', 'registry')
	const address = url ?? pathToFileURL(folder).href
	if (key !== undefined) return { url: address, fingerprint: key }
	const fingerprint = (await readFile(join(folder, 'root.sha256'), 'utf8')).trim()
	return { url: address, fingerprint, isCheckout: true }
}

/** Returns a release's registry, a copy of it at another address, or another registry. */
function officialRegistry(
	{ date, registry, drivers }: ReleaseFacts,
	named: { readonly url?: string | undefined; readonly key?: string | undefined },
): RegistrySource {
	if (named.url !== undefined && named.key === undefined)
		throw usageError(`The registry ${named.url} needs the fingerprint of its first root: --registry-key FINGERPRINT`)
	const source = { url: named.url ?? registry.url, fingerprint: named.key ?? registry.rootSha256 }
	if (source.fingerprint !== registry.rootSha256) return source
	const folder = pathToFileURL(layout.drivers).href
	return { ...source, seed: { name: registry.name, folder, releasedAt: date, targets: drivers } }
}

/**
 * Runs `work` with the running host, or on the support directory under its lock if there is none: then `personDesk` asks
 * what `ssh` and commands for secrets need.
 */
export async function withHost<T>(
	context: CommandContext,
	work: (host: HostClient) => Promise<T>,
	personDesk?: ServicesOptions['personDesk'],
): Promise<T> {
	const support = await openSupportDirectory()
	const found = await hostOrLock(support)
	await using client = 'host' in found ? found.host : await openInProcess(context, support, found.lock, personDesk)
	const notice = olderHostNotice(client)
	if (notice) process.stderr.write(`roundhouse: ${notice}\n`)
	return await work(client)
}

async function openInProcess(
	context: CommandContext,
	support: SupportDirectory,
	lock: FileLock,
	personDesk: ServicesOptions['personDesk'],
): Promise<HostClient> {
	await using opening = new AsyncDisposableStack()
	opening.use(lock)
	const services = await openServices({
		support,
		registry: await defaultRegistry(context),
		launcher: context.launch.launcher,
		log: silentLog,
		personDesk,
	})
	opening.defer(() => services.close())
	const methods = hostMethods(services, () => {
		throw commandErrors.make('no_host')
	})
	const open = {
		grids: new Grids(services.sessions),
		consoles: new ConsoleSessions(),
		imports: new Imports(),
		reviews: new Reviews(),
	}
	const owned = opening.move()
	return {
		call: async <M extends HostMethod>(
			name: M,
			params: ParamsOf<M>,
			onProgress?: Parameters<HostClient['call']>[2],
		) => {
			// The schema of the same method parses the parameters, but TypeScript cannot infer that for a union of methods.
			const method = methods[name] as Method<never, unknown>
			const signal = new AbortController().signal
			// Only the window calls methods that answer with bytes.
			return (await method.run(method.params.parse(params), { signal, onProgress, ...open })) as ResultOf<M>
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	}
}
