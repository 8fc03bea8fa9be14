import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

test('the kit packs to the same bytes whatever the umask, without the modules of the host', () => {
	const folder = mkdtempSync(join(tmpdir(), 'roundhouse-kit-test-'))
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
	const packs = ['000', '077'].map(umask => {
		const command = `umask ${umask}; exec '${process.execPath}' scripts/kit.ts '${join(folder, umask, 'kit')}'`
		execFileSync('sh', ['-c', command], { stdio: 'ignore' })
		const [name = ''] = readdirSync(join(folder, umask)).filter(name => name.endsWith('.tgz'))
		return readFileSync(join(folder, umask, name))
	})
	expect(packs[0]?.equals(packs[1] ?? Buffer.of())).toBe(true)
	const rendered = readdirSync(join(folder, '000', 'kit'), { recursive: true })
	expect(rendered).toContain(join('api', 'index.d.ts'))
	expect(rendered.filter(name => /^(wire|runtime)/.test(String(name)))).toEqual([])
})
