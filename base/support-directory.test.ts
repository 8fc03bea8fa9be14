import { chmod, mkdir, mkdtemp, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSupportDirectory } from './support-directory.ts'

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), 'roundhouse-support-'))
	try {
		await run(folder)
	} finally {
		await rm(folder, { recursive: true, force: true })
	}
}

test('makes a directory private if other users can read it', () =>
	inFolder(async folder => {
		const path = join(folder, 'home')
		await mkdir(path)
		await chmod(path, 0o755)
		await openSupportDirectory(path)
		expect((await stat(path)).mode & 0o777).toBe(0o700)
	}))

test('rejects a directory that others can write to, because they may have placed files in it', () =>
	inFolder(async folder => {
		const path = join(folder, 'home')
		await mkdir(path)
		await chmod(path, 0o777)
		await expect(openSupportDirectory(path)).rejects.toThrow('cannot be trusted')
	}))

test('rejects a symbolic link', () =>
	inFolder(async folder => {
		const path = join(folder, 'home')
		await mkdir(join(folder, 'elsewhere'))
		await symlink(join(folder, 'elsewhere'), path)
		await expect(openSupportDirectory(path)).rejects.toThrow('is a link')
	}))
