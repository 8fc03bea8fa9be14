/**
 * Settings on a command line that contain a secret. Other programs of this machine read command lines, so the launcher
 * refuses them before it starts anything that repeats them.
 */

/**
 * Compared without case and separators. Drivers use such names for secret fields; the host checks others by the form.
 */
const secretKey = /(?:password|passwd|passphrase|secret|token|apikey|accesskey|privatekey|credentials?|authorization)$/
/** `https://user:password@host` */
const credentialsInUrl = /:\/\/[^/\s@]*:[^/\s@]*@/

/**
 * @param {readonly string[]} args
 * @returns {string | undefined} what is wrong, for the user
 */
export function secretArgument(args) {
	const settings = args.flatMap((arg, at) =>
		arg === '--set' ? [args[at + 1] ?? ''] : (arg.match(/^--set=(.*)$/s)?.slice(1) ?? []),
	)
	for (const setting of settings) {
		const [key = ''] = setting.split('=', 1)
		const isSecret = secretKey.test(key.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
		if (isSecret || credentialsInUrl.test(setting)) return reasonFor(isSecret ? key : 'password')
	}
	return undefined
}

/** @param {string} key */
function reasonFor(key) {
	return `A secret on the command line can be read by other programs. Pass it on standard input: printf '{"${key}":"…"}' | roundhouse connection … --secrets-stdin. Change the secret if this machine has other users.`
}
