import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/**
 * Opens a file to read, and refuses everything except a regular file. Reading a pipe waits for a writer, and reading a
 * device may never end. @throws Error, with the code of the system if the file cannot be opened
 */
export async function openRegularFile(path: string | URL): Promise<FileHandle> {
	// Without O_NONBLOCK, opening a pipe waits. Windows has no such flag.
	const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
	try {
		if ((await file.stat()).isFile()) return file
		throw new Error('it is not a regular file')
	} catch (error) {
		await file.close()
		throw error
	}
}
