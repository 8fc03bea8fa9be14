import { resolve } from 'node:path'
import { type SshSetting, sshSettingSchema } from '../network/ssh/ssh-setting.ts'
import { usageError } from './context.ts'

/** How a command leads a connection through SSH. */
export interface SshFlags {
	/** `false` takes the tunnel away. */
	readonly ssh?: string | false
	/** Empty: as `ssh` finds it. */
	readonly sshKey?: string
	/** Empty: none. */
	readonly sshJump?: string
}

/**
 * Returns the tunnel of a connection with the changes of the flags, `null` to take it away, or `undefined` if no flag is of it.
 * @throws Error for a usage that is wrong
 */
export function readSsh({ ssh, sshKey, sshJump }: SshFlags, before?: SshSetting): SshSetting | null | undefined {
	if (ssh === false) return null
	if (ssh === undefined && sshKey === undefined && sshJump === undefined) return undefined
	const destination = ssh ?? before?.destination
	if (destination === undefined) throw usageError('--ssh has the server that --ssh-key and --ssh-jump are for.')
	// The host has another present folder.
	const identityFile = sshKey ? resolve(sshKey) : (sshKey ?? before?.identityFile)
	const jump = (sshJump ?? before?.jump)?.replaceAll(/\s*,\s*/g, ',')
	const setting = sshSettingSchema.safeParse({
		destination,
		...(identityFile && { identityFile }),
		...(jump && { jump }),
	})
	if (setting.success) return setting.data
	const [issue] = setting.error.issues
	const flag = { destination: '--ssh', identityFile: '--ssh-key', jump: '--ssh-jump' }[String(issue?.path[0])]
	throw usageError(`${flag}: ${issue?.message}`)
}
