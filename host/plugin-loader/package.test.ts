import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { create } from 'tar'
import { describe, expect, test } from 'vitest'
import { installedFiles, openDrivers } from '../../tests/support/plugin-loader.ts'
import { temporarySupport } from '../../tests/support/support-directory.ts'
import { TestRegistry, workingDriver } from '../../tests/support/test-registry.ts'

describe('a package with contents that are not allowed', () => {
	/** Packs files and links like an attacker, and signs the release with the publisher's key. */
	async function withPackage(registry: TestRegistry, make: (folder: string) => Promise<string[]>): Promise<void> {
		const folder = join(registry.folder, 'evil')
		await rm(folder, { recursive: true, force: true })
		await mkdir(join(folder, 'package'), { recursive: true })
		const entries = await make(folder)
		const path = join(folder, 'evil.tgz')
		await create({ file: path, cwd: folder, gzip: true, preservePaths: true, follow: false }, entries)
		// The signed list of files is that of an honest package.
		const honest = await registry.pack(workingDriver, '1.0.0')
		await registry.publish({ ...honest, tarball: await readFile(path) })
	}

	const packages: readonly (readonly [name: string, make: (folder: string) => Promise<string[]>])[] = [
		[
			'a symbolic link',
			async folder => {
				await symlink('/etc/passwd', join(folder, 'package/driver.js'))
				return ['package/driver.js']
			},
		],
		[
			'a path that leaves the folder',
			async folder => {
				await writeFile(join(folder, 'outside.js'), 'x')
				return ['package/../outside.js']
			},
		],
		[
			'an absolute path',
			async folder => {
				await writeFile(join(folder, 'outside.js'), 'x')
				return [join(folder, 'outside.js')]
			},
		],
		[
			'a file that is not in the signed list',
			async folder => {
				await writeFile(join(folder, 'package/extra.js'), 'x')
				return ['package/extra.js']
			},
		],
	]

	test.each(packages)('%s: the package is refused before anything is unpacked', async (_name, make) => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver()
		await withPackage(registry, make)
		await using drivers = await openDrivers(support, registry)
		await expect(drivers.install('tiny')).rejects.toThrow('contains something that is not allowed')
		expect(await installedFiles(support)).toEqual([])
	})
})
