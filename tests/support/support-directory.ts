import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSupportDirectory, type SupportDirectory } from '../../base/support-directory.ts'

/** Creates an empty support directory that is removed with the test. */
export async function temporarySupport(): Promise<SupportDirectory & AsyncDisposable> {
	const support = await openSupportDirectory(await mkdtemp(join(tmpdir(), 'roundhouse-support-')))
	return { ...support, [Symbol.asyncDispose]: () => rm(support.path, { recursive: true, force: true }) }
}

/** Returns every path below a folder, for checks that nothing is left behind. */
export async function everythingIn(folder: string): Promise<string[]> {
	return (await readdir(folder, { recursive: true })).sort()
}
