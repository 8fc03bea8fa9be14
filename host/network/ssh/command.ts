import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { win32 } from 'node:path'
import { promisify } from 'node:util'
import { destinationArgument, type SshSetting } from './ssh-setting.ts'

/** How the `ssh` of this machine is started. */

/**
 * `sockets`: one `ssh` forwards addresses to socket files. `pipes`: each socket has an `ssh` of which it is the standard
 * input and output, because that of Windows forwards no files and has no master connection. No port is open in either.
 */
export type SshForwards = 'sockets' | 'pipes'

export const usualForwards: SshForwards = process.platform === 'win32' ? 'pipes' : 'sockets'

/** Everything that a file of the user could forward or run here besides is off. */
const fixed = {
	ClearAllForwardings: 'yes',
	ControlPersist: 'no',
	ForwardAgent: 'no',
	ForwardX11: 'no',
	PermitLocalCommand: 'no',
	RemoteCommand: 'none',
	ServerAliveCountMax: '3',
	ServerAliveInterval: '15',
	StreamLocalBindMask: '0177',
	StreamLocalBindUnlink: 'no',
} as const
/** As `fixed`, from 8.7 on. `IgnoreUnknown` would take the place of the user's own. */
const fixedSince87 = { ForkAfterAuthentication: 'no', LogVerbose: 'none', StdinNull: 'no' } as const

interface SshArguments {
	/** Those whose place is fixed. */
	readonly options: readonly string[]
	/** As `sshVersion` returns it. */
	readonly version: string
	readonly extra?: readonly string[] | undefined
}

/** Returns arguments of `ssh`. What comes from a form stands behind options whose place is fixed, and behind `--`. */
export function sshArguments(
	{ destination, identityFile, jump }: SshSetting,
	{ options, version, extra = [] }: SshArguments,
): readonly string[] {
	const key = identityFile?.replaceAll('%', '%%')
	const settled = { ...fixed, ...(isSince(version, [8, 7]) && fixedSince87) }
	return [
		...options,
		...Object.entries(settled).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
		...(key === undefined ? [] : ['-o', 'IdentitiesOnly=yes', '-i', key]),
		...(jump === undefined ? [] : ['-J', jump]),
		...extra,
		'--',
		destinationArgument(destination),
	]
}

/**
 * Returns the program. On Windows it is one of those in folders that only an administrator may write: a name alone would
 * also be looked for in the present folder.
 */
export function sshProgram(platform = process.platform): string {
	if (platform !== 'win32') return 'ssh'
	const { ProgramFiles = 'C:\\Program Files', SystemRoot = 'C:\\Windows' } = process.env
	const installed = win32.join(ProgramFiles, 'OpenSSH', 'ssh.exe')
	return existsSync(installed) ? installed : win32.join(SystemRoot, 'System32', 'OpenSSH', 'ssh.exe')
}

/** Returns what `ssh` says of itself. @throws Error with Node's `code` if there is none */
export async function sshVersion(): Promise<string> {
	const { stderr } = await promisify(execFile)(sshProgram(), ['-V'], {
		env: sshEnvironment(),
		timeout: 5_000,
		windowsHide: true,
	})
	return stderr.trim()
}

/** Whether `ssh` says that it is of this release of OpenSSH, or of a later one. */
export function isSince(version: string, [major, minor]: readonly [major: number, minor: number]): boolean {
	const [, ownMajor, ownMinor] = /OpenSSH\w*?_(\d+)\.(\d+)/.exec(version) ?? []
	return Number(ownMajor) > major || (Number(ownMajor) === major && Number(ownMinor) >= minor)
}

/** What `ssh` and the programs of a `ProxyCommand` need. Windows starts none without its own. */
const passed = [
	'PATH',
	'USER',
	'LOGNAME',
	'SSH_AUTH_SOCK',
	// Where the tickets of Kerberos and its configuration are, for GSSAPI.
	'KRB5CCNAME',
	'KRB5_CONFIG',
	...(process.platform === 'win32'
		? ['APPDATA', 'COMSPEC', 'LOCALAPPDATA', 'PROGRAMDATA', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERNAME', 'USERPROFILE']
		: []),
]

/** Returns nothing of the host's environment but what `ssh` needs. @param asking variables of a program that asks */
export function sshEnvironment(asking?: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
	const own = passed.map(name => [name, process.env[name]] as const).filter(([, value]) => value !== undefined)
	return {
		HOME: homedir(),
		...Object.fromEntries(own),
		// Older releases ask by a program only if there is a display.
		...(asking && { ...asking, SSH_ASKPASS_REQUIRE: 'force', DISPLAY: ':0' }),
	}
}
