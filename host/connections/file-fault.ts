import { basename } from 'node:path'
import { messageOf } from '../../base/errors.ts'

const maxNameLength = 80

/**
 * Returns the name of a file for a message. It is shortened, because the user may have pasted a private key by mistake.
 */
export function fileName(path: string): string {
	const name = basename(path)
	return name.length > maxNameLength ? `a name of ${name.length} characters` : name
}

/** Returns the values of a message about a file. Removes the path from Node's error message. */
export function fileFault(path: string, error: unknown): { readonly path: string; readonly reason: string } {
	return { path: fileName(path), reason: messageOf(error).replace(/,? \w+ '.*$/s, '') }
}
