import { gt } from 'semver'
import { z } from 'zod'
import { newestHostFile, readJsonFile, writeJsonFile } from '../base/atomic-file.ts'
import type { SupportDirectory } from '../base/support-directory.ts'
import { hostVersion } from '../base/version.ts'

const schema = z.object({ host: z.string() })

/**
 * Notes this version in the support directory if it is the newest that used it, so that an older one can say which
 * version its files need.
 */
export async function noteNewestHost(support: SupportDirectory): Promise<void> {
	const path = support.file(newestHostFile)
	const before = await readJsonFile(path, schema).catch(() => undefined)
	if (!before || gt(hostVersion, before.host)) await writeJsonFile(path, { host: hostVersion })
}
