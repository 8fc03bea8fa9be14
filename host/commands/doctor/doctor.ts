import { openSupportDirectory } from '../../../base/support-directory.ts'
import { type CommandContext, print, usageError } from '../context.ts'
import { findings } from './findings.ts'
import { writeSupportArchive } from './support-archive.ts'

/**
 * Checks everything that support would ask. Fails if something required does not work.
 * @param archive path of an archive for support. Absent: none is written
 */
export async function doctor(context: CommandContext, archive?: string): Promise<void> {
	const support = await openSupportDirectory()
	const found = await findings(context, support)
	const lines = found.map(({ check, ok, detail }) => `${ok ? 'ok  ' : 'FAIL'} ${check.padEnd(18)} ${detail}`)
	const isGood = found.every(({ ok }) => ok)
	if (archive !== undefined) {
		const files = await writeSupportArchive(archive, { support, findings: found }).catch(error => {
			throw error.code === 'EEXIST' ? usageError(`${archive} exists. Choose another name.`) : error
		})
		const named = files.map(({ name, description, sizeBytes }) => `  ${name}  ${sizeBytes} bytes: ${description}`)
		lines.push('', `Wrote ${archive}. It stays on this machine until you send it. It contains:`, ...named)
	}
	print(context, { ok: isGood, findings: found, ...(archive !== undefined && { archive }) }, lines.join('\n'))
	if (!isGood) throw usageError('Something needs attention; see above.')
}
