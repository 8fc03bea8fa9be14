import { createInterface } from 'node:readline/promises'
import type { RegistryView } from '../api/api.ts'
import { isBundle } from '../plugin-loader/registry-state.ts'
import { type CommandContext, print, usageError, withHost } from './context.ts'

/** `roundhouse plugin registries`: the registries that this host trusts. */

export async function listRegistries(context: CommandContext): Promise<void> {
	const registries = await withHost(context, host => host.call('registries.list', {}))
	print(context, registries, registries.map(linesOf).join('\n') || 'No registry is trusted.')
}

/** Trusts a registry by the given fingerprint, or by its own if the user confirms it. */
export async function addRegistry(context: CommandContext, url: string, fingerprint?: string): Promise<void> {
	const added = await withHost(context, async host => {
		const found = await host.call('registries.look', { url })
		const trusted = { url, fingerprint: fingerprint ?? (await confirmed(found.fingerprint)) }
		await host.call('registries.add', trusted)
		return found
	})
	print(context, added, `Trusts ${added.url} from now on.`)
}

/** `name` is its address or its fingerprint. If drivers are installed from it, the user must confirm. */
export async function removeRegistry(context: CommandContext, name: string, isAgreed: boolean): Promise<void> {
	const removed = await withHost(context, async host => {
		const registries = await host.call('registries.list', {})
		const found = registries.find(({ url, fingerprint }) => [url, url.replace(/\/$/, ''), fingerprint].includes(name))
		if (!found) throw usageError(`There is no registry ${name} among yours.`)
		if (found.installed.length > 0 && !isAgreed) await confirmRemoval(found)
		await host.call('registries.remove', { fingerprint: found.fingerprint })
		return found
	})
	print(context, removed, `Trusts ${removed.url} no more.`)
}

/** Without a terminal no user can compare, so the fingerprint is required. */
async function confirmed(fingerprint: string): Promise<string> {
	const compare = `Its fingerprint is ${fingerprint}. Compare it with what its publisher told you`
	if (!process.stdin.isTTY) throw usageError(`${compare}, and give it: --fingerprint ${fingerprint}`)
	if (await saysYes(`${compare}. Trust it?`)) return fingerprint
	throw usageError('It was not added.')
}

async function confirmRemoval({ installed }: RegistryView): Promise<void> {
	const lines = installed.map(
		({ displayName, connections }) => `${displayName} (${connections.join(', ') || 'no connections'})`,
	)
	const loss = `These drivers were installed from it and will not be loaded without it: ${lines.join('; ')}.`
	if (!process.stdin.isTTY) throw usageError(`${loss} To remove it all the same: --yes`)
	if (!(await saysYes(`${loss} Remove it?`))) throw usageError('It was not removed.')
}

async function saysYes(question: string): Promise<boolean> {
	const asking = createInterface({ input: process.stdin, output: process.stderr })
	try {
		return /^y(es)?$/i.test(await asking.question(`${question} [y/N] `))
	} finally {
		asking.close()
	}
}

const words = {
	current: 'up to date',
	saved: 'not reachable, the stored copy is used',
	seeded: 'not read yet, only what came with Roundhouse is listed',
	expired: 'expired',
	unreadable: 'not readable',
	refused: 'not allowed',
}

function linesOf({ url, name, fingerprint, isDefault, state, drivers, expiresAt, reason }: RegistryView): string {
	const facts = [
		state === 'saved' && isBundle(url) ? 'from a bundle' : words[state],
		`${drivers} ${drivers === 1 ? 'driver' : 'drivers'}`,
		expiresAt && `until ${expiresAt}`,
	]
	return [
		[name, url, isDefault && '(the default)'].filter(Boolean).join(' '),
		`  ${fingerprint}`,
		`  ${facts.filter(Boolean).join(', ')}`,
		...(reason ? [`  ${reason}`] : []),
	].join('\n')
}
