import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

test('kit and SQL layer pack to the same bytes whatever the umask, without what only this checkout imports', () => {
	const folder = mkdtempSync(join(tmpdir(), 'roundhouse-kit-test-'))
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
	const packs = ['000', '077'].map(umask => {
		const command = `umask ${umask}; exec '${process.execPath}' scripts/kit.ts '${join(folder, umask)}'`
		execFileSync('sh', ['-c', command], { stdio: 'ignore' })
		const names = readdirSync(join(folder, umask)).filter(name => name.endsWith('.tgz'))
		return names.map(name => [name, readFileSync(join(folder, umask, name)).toString('base64')])
	})
	expect(packs[0]?.map(([name]) => name)).toEqual(['roundhouse-kit-0.1.0.tgz', 'roundhouse-sql-0.1.0.tgz'])
	expect(packs[0]).toEqual(packs[1])
	const [kit, sql] = ['kit', 'sql'].map(name => readdirSync(join(folder, '000', name), { recursive: true }).map(String))
	expect(kit).toContain(join('api', 'index.d.ts'))
	expect(kit?.filter(name => /^(wire|runtime)/.test(name))).toEqual([])
	expect(sql).toEqual(expect.arrayContaining([join('dialect', 'index.d.ts'), 'README.md', 'LICENSE']))
	// Logins over sockets, saves and imports are of the engines of this checkout.
	expect(
		sql?.filter(name => /^(wire|testing|edit.change|data.batch|index)|\.ts$/.test(name) && !name.endsWith('.d.ts')),
	).toEqual([])
	const { peerDependencies, exports } = JSON.parse(readFileSync(join(folder, '000', 'sql', 'package.json'), 'utf8'))
	expect(peerDependencies).toEqual({ '@roundhouse/kit': '^0.1.0' })
	expect(Object.keys(exports)).toEqual(['.'])
})

test('the SQL layer has the version of the kit, as the template sql says', () => {
	const [kit, sql] = ['kit', 'sql'].map(name => JSON.parse(readFileSync(`plugins/${name}/package.json`, 'utf8')))
	expect(sql.version).toBe(kit.version)
})
