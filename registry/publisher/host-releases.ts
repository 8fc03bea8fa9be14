import { type HostReleases, hostReleasesSchema, hostReleasesTarget } from '../format/format.ts'
import type { Repository } from './repository.ts'
import { readTarget, writeJsonTarget } from './target-files.ts'

/** Names the newest release of Roundhouse in a channel. The other channels stay. */
export async function announceHost(
	repository: Repository,
	channel: string,
	release: HostReleases['channels'][string],
): Promise<void> {
	const target = repository.role('targets')?.targets[hostReleasesTarget]
	const before =
		target && hostReleasesSchema.parse(JSON.parse((await readTarget(repository.folder, target)).toString('utf8')))
	const value = hostReleasesSchema.parse({ channels: { ...before?.channels, [channel]: release } })
	await writeJsonTarget(repository, { role: 'targets', path: hostReleasesTarget, value })
}
