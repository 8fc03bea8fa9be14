import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'

/**
 * Writes a file into a folder that others may write too, for example a shared Git repository. The file is written
 * under a new name and renamed, so a reader finds it complete, and a link at its path is replaced. Following that link
 * would overwrite any file of the user.
 */
export async function replaceFile(path: string, data: Uint8Array): Promise<void> {
	const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
	try {
		await using file = await open(temporary, 'wx')
		await file.writeFile(data)
		await file.sync()
	} catch (error) {
		await rm(temporary, { force: true })
		throw error
	}
	await rename(temporary, path)
}
