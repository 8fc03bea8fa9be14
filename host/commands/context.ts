import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defineErrors } from '../base/errors.ts'
import type { FileLock } from '../base/file-lock.ts'
import { silentLog } from '../base/log.ts'
import { openSupportDirectory, type SupportDirectory } from '../base/support-directory.ts'
import type { RegistrySource } from '../plugin-loader/drivers.ts'
import { openServices } from '../services.ts'
import type { HostMethod, ParamsOf, ResultOf } from '../ui-server/api.ts'
import { type HostClient, hostOrLock } from '../ui-server/client.ts'
import { Grids } from '../ui-server/grids.ts'
import type { Method } from '../ui-server/methods/method.ts'
import { hostMethods } from '../ui-server/methods.ts'
import { Reviews } from '../ui-server/reviews.ts'

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
	/** Print JSON for programs instead of text for people. */
	readonly json: boolean
	/** The address and fingerprint of another default registry than the checkout's own. */
	readonly registry?: { readonly url?: string | undefined; readonly key?: string | undefined } | undefined
}

export const commandErrors = defineErrors('command', {
	usage: '{reason}',
	no_host: 'No host is running. Start one with: roundhouse serve',
})

/** A way a command can fail that is the caller's to mend. */
export function usageError(reason: string): Error {
	return commandErrors.make('usage', { reason })
}

/** Prints one answer: `value` as a line of JSON, or `text`. */
export function print(context: CommandContext, value: unknown, text: string): void {
	process.stdout.write(`${context.json ? JSON.stringify(value) : text}\n`)
}

/** The default registry: the one that was named, or the checkout's own. */
export async function defaultRegistry({ launch, registry }: CommandContext): Promise<RegistrySource> {
	const folder = join(launch.checkout, 'dist', 'registry')
	const url = registry?.url ?? process.env.ROUNDHOUSE_REGISTRY ?? pathToFileURL(folder).href
	const key = registry?.key ?? process.env.ROUNDHOUSE_REGISTRY_KEY
	return { url, fingerprint: key ?? (await readFile(join(folder, 'root.sha256'), 'utf8')).trim() }
}

/** Runs `work` with the running host, or on the support directory under its lock when there is none. */
export async function withHost<T>(context: CommandContext, work: (host: HostClient) => Promise<T>): Promise<T> {
	const support = await openSupportDirectory()
	const found = await hostOrLock(support)
	await using client = 'host' in found ? found.host : await openInProcess(context, support, found.lock)
	return await work(client)
}

async function openInProcess(context: CommandContext, support: SupportDirectory, lock: FileLock): Promise<HostClient> {
	await using opening = new AsyncDisposableStack()
	opening.use(lock)
	const services = await openServices({
		support,
		registry: await defaultRegistry(context),
		launcher: context.launch.launcher,
		log: silentLog,
	})
	opening.defer(() => services.close())
	const methods = hostMethods(services, () => {
		throw commandErrors.make('no_host')
	})
	const open = { grids: new Grids(services.sessions), reviews: new Reviews() }
	const owned = opening.move()
	return {
		call: async <M extends HostMethod>(
			name: M,
			params: ParamsOf<M>,
			onProgress?: Parameters<HostClient['call']>[2],
		) => {
			const method: Method<M> = methods[name]
			const signal = new AbortController().signal
			// The methods that answer with bytes are the window's; no command calls them.
			return (await method.run(method.params.parse(params), { signal, onProgress, ...open })) as ResultOf<M>
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	}
}
