import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/**
 * Opens a file to read, and refuses everything except a regular file. Reading a pipe waits for a writer, and reading a
 * device may never end. @param flags further ones of the system, for example O_NOFOLLOW @throws Error, with the code of
 * the system if the file cannot be opened
 */
export async function openRegularFile(path: string | URL, flags = 0): Promise<FileHandle> {
	// Without O_NONBLOCK, opening a pipe waits. Windows has no such flag.
	const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | flags)
	try {
		if ((await file.stat()).isFile()) return file
		throw new Error('it is not a regular file')
	} catch (error) {
		await file.close()
		throw error
	}
}

/** Reads a regular file of at most `maxBytes`. @throws Error if it is larger, or is no regular file */
export async function readRegularFile(path: string | URL, maxBytes: number): Promise<Buffer> {
	await using file = await openRegularFile(path)
	return await readAtMost(file, maxBytes)
}

/** Reads an open file, also one that grows or reports no size. @throws Error if it has more than `maxBytes` */
export async function readAtMost(file: FileHandle, maxBytes: number): Promise<Buffer> {
	const tooLarge = () => new Error(`it is larger than ${maxBytes.toLocaleString('en')} bytes`)
	if ((await file.stat()).size > maxBytes) throw tooLarge()
	const chunks: Buffer[] = []
	let size = 0
	for await (const chunk of file.createReadStream({ autoClose: false })) {
		size += chunk.length
		if (size > maxBytes) throw tooLarge()
		chunks.push(chunk)
	}
	return Buffer.concat(chunks)
}
