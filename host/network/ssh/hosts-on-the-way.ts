import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sshArguments, sshEnvironment, sshProgram, sshVersion } from './command.ts'
import { isDestination, type SshSetting } from './ssh-setting.ts'

/** What `ssh` calls the hosts that it signs in to, by the user's configuration. */

const mostHosts = 16
/** `ssh` shows no more of a name when it asks for a password. */
const shownLength = 128
const timeoutMs = 5_000

/**
 * Returns whether each host on the way has another name in the questions of `ssh`, so that a question for a password can
 * only be of one of them. False where that is not known: a `ProxyCommand` may be an `ssh` that asks too.
 * @param extra arguments of the `ssh` that asks
 */
export async function haveOwnNames(setting: SshSetting, extra?: readonly string[]): Promise<boolean> {
	const names: string[] = []
	let way: SshSetting | undefined = setting
	try {
		const version = await sshVersion()
		while (way) {
			const options = { env: sshEnvironment(), timeout: timeoutMs, windowsHide: true }
			const args = sshArguments(way, { options: ['-G'], version, extra })
			const host = configured((await promisify(execFile)(sshProgram(), args, options)).stdout)
			if (host.proxycommand !== undefined || names.length === mostHosts) return false
			names.push((host.hostkeyalias ?? host.hostname ?? '').toLowerCase().slice(0, shownLength))
			way = wayToLast(host.proxyjump)
		}
	} catch {
		return false
	}
	return new Set(names).size === names.length
}

/** Returns what `ssh -G` says, by its keyword in small letters. */
function configured(text: string): Readonly<Record<string, string>> {
	const lines = text.split('\n').map(line => /^(\S+) (.*)$/.exec(line) ?? [])
	return Object.fromEntries(
		lines.map(([, name = '', value = '']) => [name, value]).filter(([, value]) => value !== 'none'),
	)
}

/** Returns how the `ssh` to the last of these hosts is started. @throws if one is not written as we write it */
function wayToLast(jump: string | undefined): SshSetting | undefined {
	if (jump === undefined) return undefined
	const hosts = jump.split(',')
	if (!hosts.every(isDestination)) throw new Error(`The way over ${jump} cannot be read.`)
	const [destination = '', ...before] = hosts.toReversed()
	return { destination, ...(before.length > 0 && { jump: before.toReversed().join(',') }) }
}
