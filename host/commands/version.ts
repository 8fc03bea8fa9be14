import { messageOf } from '../../base/errors.ts'
import { releaseFacts } from '../../base/release.ts'
import { hostVersion } from '../../base/version.ts'
import { type CommandContext, print, withHost } from './context.ts'

/** Prints this version, and whether the official registry names a newer one. */
export async function checkVersion(context: CommandContext): Promise<void> {
	if (!releaseFacts())
		return print(context, { version: hostVersion }, `${hostVersion}, a checkout. Update it with git.`)
	const { notices, update } = await withHost(context, async host => {
		const { notices } = await host.call('drivers.browse', {})
		return { notices, update: await host.call('app.update', {}) }
	}).catch(error => ({ notices: [messageOf(error)], update: null }))
	if (update) {
		const text = `${hostVersion}. Roundhouse ${update.version} is available. ${update.how}`
		return print(context, { version: hostVersion, update }, text)
	}
	const [fault] = notices
	const text = fault === undefined ? 'It is the newest.' : `Whether it is the newest is not known: ${fault}`
	print(
		context,
		{ version: hostVersion, update: null, ...(fault !== undefined && { fault }) },
		`${hostVersion}. ${text}`,
	)
}
