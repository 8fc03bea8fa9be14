import { realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, relative, sep } from 'node:path'
import type { FormField, Manifest, Settings } from '@roundhouse/kit/manifest'
import { layout } from '../../base/layout.ts'
import type { FileGrants } from '../driver-runtime/file-grants.ts'
import { connectionErrors } from './errors.ts'
import { fileFault, fileName } from './file-fault.ts'

/** The files and folders that a connection's form grants its driver, and the settings with their real paths. */
export interface GrantedPaths {
	readonly grants: FileGrants
	readonly settings: Settings
}

/**
 * Resolves the fields that grant access to a file or a folder, instead of the text of a file. `supportPath` is the
 * host's folder, which contains the user's secrets. @throws HostError `connection/path_refused`
 */
export async function grantedPaths(
	form: Manifest['form'],
	settings: Settings,
	supportPath: string,
): Promise<GrantedPaths> {
	const resolved: Record<string, Settings[string]> = { ...settings }
	const grants = { read: [] as string[], readWrite: [] as string[] }
	for (const field of form) {
		const path = resolved[field.key]
		if (!field.access || typeof path !== 'string' || path === '') continue
		const real = await realPathOf(field, path)
		await refuseBroadPath(field, real, supportPath)
		grants[field.access].push(real)
		resolved[field.key] = real
	}
	return { grants, settings: resolved }
}

async function realPathOf(field: FormField, path: string): Promise<string> {
	const refuse = (reason: string) =>
		connectionErrors.make('path_refused', { field: field.label, path: fileName(path), reason })
	if (!isAbsolute(path)) throw refuse('use an absolute path')
	const real = await realpath(path).catch(error => {
		throw refuse(fileFault(path, error).reason)
	})
	const found = await stat(real)
	if (field.type === 'folder' && !found.isDirectory()) throw refuse('it is not a folder')
	if (field.type === 'file' && !found.isFile()) throw refuse('it is not a file')
	// In Node's permission flags `*` is a wildcard and `,` is a separator.
	if (/[*,]/.test(real)) throw refuse('a path with * or , cannot be granted')
	return real
}

/** Program files of Roundhouse. A driver that could write them could change the host. */
const programs = [dirname(layout.driverRuntime), process.execPath]

/**
 * Refuses paths that a user would not intend: the whole disk, the whole home, the folder with all secrets, or the
 * program files.
 */
async function refuseBroadPath(field: FormField, real: string, supportPath: string): Promise<void> {
	const [home, support] = await Promise.all([homedir(), supportPath].map(path => realpath(path).catch(() => path)))
	const refuse = (reason: string) =>
		connectionErrors.make('path_refused', { field: field.label, path: fileName(real), reason })
	if (dirname(real) === real) throw refuse('it is the whole disk')
	// It exposes the memory, the environment and the root folder of each process.
	if (isWithin(real, '/proc')) throw refuse('it gives access to all processes')
	if (isWithin(home ?? '', real)) throw refuse('it contains your whole home folder; choose a folder inside it')
	if (isWithin(support ?? '', real) || isWithin(real, support ?? '')) {
		throw refuse('Roundhouse keeps its own settings and secrets there')
	}
	if (field.access !== 'readWrite') return
	const own = await Promise.all(programs.map(path => realpath(path)))
	if (own.some(path => isWithin(path, real) || isWithin(real, path)))
		throw refuse('the program files of Roundhouse are there')
}

/** Whether `path` is `folder` or is inside it. */
export function isWithin(path: string, folder: string): boolean {
	const relativePath = relative(folder, path)
	return (
		relativePath === '' || (relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath))
	)
}
