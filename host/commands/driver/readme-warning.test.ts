import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { layout } from '../../../base/layout.ts'
import { readmeWarnings } from './readme-warning.ts'

test('warns of the text of a template, and waits for no pipe and no device', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'roundhouse-readme-'))
	const file = join(folder, 'README.md')
	await cp(join(layout.driverTemplates, 'minimal', 'README.md'), file)
	expect(await readmeWarnings(folder)).toHaveLength(1)
	await rm(file)
	if (process.platform !== 'win32') {
		execFileSync('mkfifo', [file])
		expect(await readmeWarnings(folder)).toEqual([])
		await rm(file)
		await symlink('/dev/zero', file)
		expect(await readmeWarnings(folder)).toEqual([])
	}
	await rm(folder, { recursive: true })
})
