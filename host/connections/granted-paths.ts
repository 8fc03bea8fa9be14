import { realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, relative, sep } from 'node:path'
import type { FormField, Manifest, Settings } from '@roundhouse/kit/manifest'
import { messageOf } from '../base/errors.ts'
import { layout } from '../base/layout.ts'
import type { Grants } from '../driver-runtime/grants.ts'
import { connectionErrors } from './errors.ts'

/** What a connection's form grants its driver of the disk, and the settings with the real paths of it. */
export interface GrantedPaths {
	readonly grants: Grants
	readonly settings: Settings
}

/**
 * Reads the fields that ask for a file or a folder itself instead of its text. `supportPath` is the host's own folder,
 * with the person's secrets. @throws HostError `connection/path_refused`
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
		await refuseTooMuch(field, real, supportPath)
		grants[field.access].push(real)
		resolved[field.key] = real
	}
	return { grants, settings: resolved }
}

async function realPathOf(field: FormField, path: string): Promise<string> {
	const refuse = (reason: string) => connectionErrors.make('path_refused', { field: field.label, path, reason })
	if (!isAbsolute(path)) throw refuse('write the whole path, from the beginning of the disk')
	const real = await realpath(path).catch(error => {
		throw refuse(messageOf(error))
	})
	const found = await stat(real)
	if (field.type === 'folder' && !found.isDirectory()) throw refuse('it is no folder')
	if (field.type === 'file' && !found.isFile()) throw refuse('it is no file')
	// In Node's flags these two stand for other paths, or end one.
	if (/[*,]/.test(real)) throw refuse('a path with * or , cannot be granted')
	return real
}

/** What a driver that writes there would be run as. */
const programs = [dirname(layout.driverRuntime), process.execPath]

/** Nobody means a whole disk, a whole home, the folder with the secrets of all connections, or to have Roundhouse changed. */
async function refuseTooMuch(field: FormField, real: string, supportPath: string): Promise<void> {
	const [home, support] = await Promise.all([homedir(), supportPath].map(path => realpath(path).catch(() => path)))
	const refuse = (reason: string) => connectionErrors.make('path_refused', { field: field.label, path: real, reason })
	if (dirname(real) === real) throw refuse('it is the whole disk')
	// Each process lies there with its memory, its environment and a way to the whole disk.
	if (isWithin(real, '/proc')) throw refuse('it is the system’s window on all processes')
	if (isWithin(home ?? '', real)) throw refuse('it holds your whole home folder; choose one inside')
	if (isWithin(support ?? '', real) || isWithin(real, support ?? '')) {
		throw refuse('Roundhouse keeps its own settings and secrets there')
	}
	if (field.access !== 'readWrite') return
	const own = await Promise.all(programs.map(path => realpath(path)))
	if (own.some(path => isWithin(path, real) || isWithin(real, path)))
		throw refuse('Roundhouse’s own program lies there')
}

/** Whether `path` is `folder` or lies in it. */
function isWithin(path: string, folder: string): boolean {
	const way = relative(folder, path)
	return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}
