import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/** A key, a certificate or a file of passwords has some kilobytes. */
const longestFileBytes = 1024 * 1024

/** Reads a file of the user, with its mode. @throws Error where it is no regular file, too long, or cannot be read */
export async function readText(path: string): Promise<{ readonly text: string; readonly mode: number }> {
	// Without O_NONBLOCK a named pipe without a writer would never open.
	await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
	const stat = await file.stat()
	if (!stat.isFile()) throw new Error('it is not a regular file')
	const chunks: Buffer[] = await file.createReadStream({ end: longestFileBytes, autoClose: false }).toArray()
	const bytes = Buffer.concat(chunks)
	if (bytes.length > longestFileBytes) throw new Error(`it is longer than ${longestFileBytes} bytes`)
	return { text: bytes.toString('utf8'), mode: stat.mode }
}
