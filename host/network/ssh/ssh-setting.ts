import { isAbsolute } from 'node:path'
import { z } from 'zod'

/** How a connection is led through SSH. */

const user = '[A-Za-z0-9_.][A-Za-z0-9_.+-]{0,63}'
const host = '(?:[A-Za-z0-9_][A-Za-z0-9_.-]{0,252}|\\[[0-9A-Fa-f:.]{2,45}\\])'
const destinationPattern = new RegExp(`^(?:(${user})@)?(${host})(?::(\\d{1,5}))?$`)

/**
 * Whether a text is a name of `~/.ssh/config`, `user@host` or `user@host:port`. It never begins with a hyphen and has no
 * characters that a shell or `ssh` reads, because a `ProxyCommand` of the user may have the name in it.
 */
export function isDestination(text: string): boolean {
	const port = destinationPattern.exec(text)?.[3]
	return destinationPattern.test(text) && (port === undefined || (Number(port) > 0 && Number(port) < 65_536))
}

/** Returns the argument of `ssh` for a destination: with a port, it takes a URL. */
export function destinationArgument(destination: string): string {
	const [, name, host = '', port] = destinationPattern.exec(destination) ?? []
	if (port === undefined && !host.startsWith('[')) return destination
	return `ssh://${name === undefined ? '' : `${name}@`}${host}${port === undefined ? '' : `:${port}`}`
}

export const sshSettingSchema = z.strictObject({
	destination: z.string().refine(isDestination, 'Write a name of ~/.ssh/config, user@host or user@host:port.'),
	/** Path of a private key. Without it, `ssh` takes those of the agent and of `~/.ssh`. */
	identityFile: z
		.string()
		.max(4_000)
		.refine(path => isAbsolute(path) && !/[\0\r\n"]/.test(path), 'Choose a key file by its whole path.')
		.exactOptional(),
	/** Hosts on the way, separated by commas, the first one first. */
	jump: z
		.string()
		.refine(text => text.split(',').every(isDestination), 'Write user@host:port, and a comma between two hosts.')
		.exactOptional(),
})
export type SshSetting = Readonly<z.output<typeof sshSettingSchema>>

/** The part that is the same on each machine: a key file is a path of one. */
export const sharedSshSchema = sshSettingSchema.omit({ identityFile: true })
export type SharedSsh = Readonly<z.output<typeof sharedSshSchema>>

export const sharedSsh = ({ destination, jump }: SshSetting): SharedSsh => ({
	destination,
	...(jump !== undefined && { jump }),
})

/** Whether two ways lead over the same hosts. */
export const isSameSsh = (one: SshSetting | undefined, other: SshSetting | undefined): boolean =>
	one?.destination === other?.destination && one?.jump === other?.jump

/** Returns a way in one line. */
export const sshLabel = ({ destination, jump }: SshSetting): string =>
	jump === undefined ? destination : `${destination}, over ${jump.replaceAll(',', ', ')}`
