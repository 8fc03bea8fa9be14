import { type AiClient, aiClients, genericSnippet } from '../client-setup/clients.ts'
import { linkedClients, linkFor } from '../client-setup/links.ts'
import { apply, planInstall, planUninstall, setupErrors } from '../client-setup/setup.ts'
import { bridgeOf } from '../client-setup/this-bridge.ts'
import { tryBridge } from '../client-setup/try-bridge.ts'
import { agrees } from './agrees.ts'
import { type CommandContext, print, usageError } from './context.ts'

/** Writes or reverts a client's configuration; asks first unless `isAgreed`. */
export async function setUpClient(
	context: CommandContext,
	{ id, kind, isAgreed }: { readonly id: string; readonly kind: 'install' | 'uninstall'; readonly isAgreed: boolean },
): Promise<void> {
	const bridge = bridgeOf(context.launch.launcher)
	if (id === 'generic') return print(context, JSON.parse(genericSnippet(bridge)), genericSnippet(bridge))
	const client = clientOf(id)
	const plan = await (kind === 'install' ? planInstall(client, bridge) : planUninstall(client, bridge))
	if (plan.before === plan.after) {
		const state = kind === 'install' ? 'has Roundhouse already' : 'has no Roundhouse'
		return print(context, { client: id, path: plan.path, changed: false }, `${client.name} ${state}: ${plan.path}`)
	}
	if (!context.json) process.stdout.write(`${plan.path}\n\n${plan.diff}\n\n`)
	if (!isAgreed && !(await agrees('Write this?'))) throw usageError('Nothing was changed. Say --yes to change it.')
	await apply(client, plan, kind)
	const done = kind === 'install' ? `${client.name} knows Roundhouse now. Restart it.` : `${client.name} is as it was.`
	print(context, { client: id, path: plan.path, changed: true, diff: plan.diff }, done)
}

/** Prints the address that a client opens to add Roundhouse. */
export async function linkClient(context: CommandContext, id: string): Promise<void> {
	const link = linkFor(id, bridgeOf(context.launch.launcher))
	if (link === undefined) {
		throw usageError(
			`${id} has no such address here: ${linkedClients.join(', ')} have. Use: roundhouse mcp install ${id}`,
		)
	}
	print(context, { client: id, link }, link)
}

/** Runs the whole path as a client would. */
export async function testBridge(context: CommandContext): Promise<void> {
	const server = await tryBridge(bridgeOf(context.launch.launcher))
	print(context, { ok: true, server }, `The bridge reaches ${server.name} ${server.version}.`)
}

function clientOf(id: string): AiClient {
	const clients = aiClients()
	const client = clients.find(client => client.id === id)
	const names = [...clients.map(client => client.id), 'generic'].join(', ')
	if (!client) throw setupErrors.make('unknown_client', { client: id, clients: names })
	return client
}
