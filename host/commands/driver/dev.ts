import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Settings } from '@roundhouse/kit'
import { packageSchema } from '@roundhouse/kit/manifest'
import { messageOf } from '../../../base/errors.ts'
import type { Log } from '../../../base/log.ts'
import { redact } from '../../../base/redaction.ts'
import { openSupportDirectory } from '../../../base/support-directory.ts'
import { hostVersion } from '../../../base/version.ts'
import { hostOrLock } from '../../api/client.ts'
import { DriverUnderDevelopment } from '../../api/development.ts'
import { openAddress } from '../../desktop/open-address.ts'
import {
	conformancePlace,
	type LoadOptions,
	loadConformance,
	refuseGrants,
} from '../../driver-check/load-conformance.ts'
import { startHost } from '../../host.ts'
import { newlyMayUse } from '../../plugin-loader/permission-text.ts'
import type { Services } from '../../services.ts'
import { type CommandContext, print } from '../context.ts'
import { show } from '../open.ts'
import { untilStopped } from '../until-stopped.ts'
import { faultOfFolder } from './check.ts'
import { leftOutWarnings } from './left-out-warning.ts'
import { onChange } from './on-change.ts'

/**
 * Runs the driver in a folder in a host that is removed at the end, and runs it again after each change of a file. The
 * host's registry is signed with keys that are removed too, so the driver needs none.
 * @returns why the folder cannot be used, or `undefined`
 */
export async function dev(
	context: CommandContext,
	folder: string,
	options: { readonly inspects: boolean } & LoadOptions,
): Promise<string | undefined> {
	const fault = await faultOfFolder(folder)
	if (fault !== undefined) return fault
	const path = resolve(folder)
	const stopped = untilStopped()
	await using owned = new AsyncDisposableStack()
	const place = await realpath(await mkdtemp(join(tmpdir(), 'roundhouse-dev-')))
	owned.defer(() => rm(place, { recursive: true, force: true }))
	// A throw-away host leaves nothing in the keychain.
	process.env.ROUNDHOUSE_SECRETS = 'file'
	const support = await openSupportDirectory(join(place, 'home'))
	const locked = await hostOrLock(support)
	if ('host' in locked) throw new Error('Another host uses a folder that was just created.')

	// The bundler is loaded on demand, because only a checkout has it.
	const { buildCheckoutRegistry } = await import('@roundhouse/registry/publisher/checkout')
	const output = join(place, 'registry')
	const publish = (drivers: readonly string[]) =>
		buildCheckoutRegistry({
			name: 'Development',
			drivers,
			output,
			state: join(place, 'state'),
			minHostVersion: hostVersion,
		})
	const { fingerprint } = await publish([])

	const lines: string[] = []
	const line = (message: string) => {
		const text = redact(message)
		lines.push(text)
		print(context, { event: 'log', text }, text)
	}
	const log: Log = { info: line, warn: line }
	const development = new DriverUnderDevelopment(path, options)
	const host = await startHost({
		support,
		lock: locked.lock,
		development,
		log,
		openAddress,
		registry: { url: pathToFileURL(output).href, fingerprint, isCheckout: true },
		launcher: context.launch.launcher,
		mcpPort: 0,
		uiPort: 0,
	})
	owned.defer(() => host.stop())
	const { services } = host

	const runBuild = async () => {
		const began = performance.now()
		lines.length = 0
		try {
			const { leftOut } = await publish([path])
			for (const warning of leftOutWarnings(leftOut)) line(warning)
			const { id, version, added } = await startBuild(services, path)
			for (const permission of added) line(`It may now use more. ${permission}`)
			const tookMs = Math.round(performance.now() - began)
			development.report(undefined)
			print(context, { event: 'running', id, version, tookMs }, `${id} ${version} runs, after ${tookMs} ms.`)
		} catch (error) {
			const fault = [redact(messageOf(error)), ...lines].join('\n')
			development.report(fault)
			print(context, { event: 'failed', fault }, `${messageOf(error)}\nThe build before it stays in use.`)
		}
	}
	await runBuild()
	await addConnection(services, path, { owned, ...options }).catch(error =>
		line(`No connection was added: ${[conformancePlace(error), messageOf(error)].filter(Boolean).join(': ')}`),
	)
	owned.use(onChange(path, runBuild))
	print(context, { event: 'ready', home: support.path, mcp: host.info.mcp }, `AI clients: ${host.info.mcp.url}`)
	// Without a window to close, the host runs until it is stopped.
	if (!(await show(context, host.entry(), { support, stopped }))) await stopped
	return undefined
}

/** Installs the published build, and opens again what was open. The build before it stays if this one does not start. */
async function startBuild(
	{ drivers, connections, sessions }: Services,
	folder: string,
): Promise<{ readonly id: string; readonly version: string; readonly added: readonly string[] }> {
	const { version, roundhouse } = packageSchema.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))
	const used = connections.list().filter(({ id }) => sessions.state(id).status !== 'closed')
	const before = drivers.installed().find(({ id }) => id === roundhouse.id)
	const { current } = await drivers.install(roundhouse.id, { range: version, acceptsMore: true, keepsProcess: true })
	await Promise.all(
		used.map(async ({ id }) => {
			await sessions.close(id)
			// The window shows why a connection cannot be opened.
			await sessions.open(id, { skipsBackoff: true }).catch(() => {})
		}),
	)
	const added = before ? newlyMayUse(before, current.release.manifest) : []
	return { id: roundhouse.id, version, added }
}

/** Adds a connection to the driver's sample, or to the fixture of its conformance file. */
async function addConnection(
	{ drivers, connections }: Services,
	folder: string,
	{ owned, ...options }: LoadOptions & { readonly owned: AsyncDisposableStack },
): Promise<void> {
	const [manifest] = drivers.installed()
	if (!manifest) return
	const add = (settings: Settings, isSample = false) =>
		connections.add({ name: 'Development', driverId: manifest.id, settings, isSample, aiPolicy: 'allow' }, manifest)
	if (manifest.hasSample) return void (await add({}, true))
	const conformance = await loadConformance(folder, options)
	if (!conformance) return
	owned.use(conformance)
	const { fixture } = conformance.file
	const addChosen = (settings: Settings) => {
		if (!options.isUnconfined) refuseGrants(manifest.form, settings)
		return add(settings)
	}
	if (!('start' in fixture)) return void (await addChosen(fixture.settings ?? {}))
	await addChosen((await fixture.start()).settings)
}
