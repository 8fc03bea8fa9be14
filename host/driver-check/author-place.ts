import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Returns the place in a driver's folder that an error comes from, as `server.ts:14`, or `undefined` if its stack names
 * no file of the author. Node strips types without moving code, so lines are those of the source.
 */
export function authorPlace(error: unknown, folder: string): string | undefined {
	const stack = error instanceof Error ? (error.stack ?? '') : ''
	for (const [, url = '', line = ''] of stack.matchAll(/(file:\/\/[^\s()]+?):(\d+)/g)) {
		const file = authorFile(url, folder)
		if (file !== undefined) return `${file}:${line}`
	}
	return undefined
}

/**
 * Returns the path of a module in the folder, or `undefined` for a module elsewhere or of a dependency.
 * @param folder a real path, as Node names modules by theirs
 */
export function authorFile(url: string, folder: string): string | undefined {
	if (!url.startsWith('file:')) return undefined
	const file = relative(folder, fileURLToPath(url)).split(sep)
	return file[0] === '..' || file.includes('node_modules') ? undefined : file.join('/')
}
