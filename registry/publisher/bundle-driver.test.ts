import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bundleDriver } from './bundle-driver.ts'

test('a stack names the file and line of the driver, and the map no folder of the machine', async () => {
	const place = await mkdtemp(join(tmpdir(), 'roundhouse-bundle-test-'))
	onTestFinished(() => rm(place, { recursive: true, force: true }))
	const folder = join(place, 'home of the author')
	await mkdir(join(folder, 'rows'), { recursive: true })
	await mkdir(join(place, 'node_modules', 'beside'), { recursive: true })
	await writeFile(join(place, 'node_modules', 'beside', 'index.js'), 'export const beside = () => 5\n')
	await writeFile(
		join(folder, 'rows', 'page.ts'),
		"import { toCell } from '@roundhouse/kit'\n\nexport function page(): never {\n\tthrow new Error(String(toCell(1)))\n}\n",
	)
	await writeFile(
		join(folder, 'driver.ts'),
		"import { beside } from 'beside'\nimport { page } from './rows/page.ts'\n\nif (beside() > 0) page()\n",
	)
	const outfile = join(place, 'out', 'driver.mjs')
	await bundleDriver({ folder, entry: 'driver.ts', outfile })
	const code = `import(${JSON.stringify(outfile)}).catch(error => console.log(error.stack))`
	const stack = execFileSync(process.execPath, ['--enable-source-maps', '--eval', code], { encoding: 'utf8' })
	expect(stack).toContain(`${join(place, 'out', 'rows', 'page.ts')}:4:8`)
	expect(stack).toContain(`${join(place, 'out', 'driver.ts')}:4:`)

	const map = await readFile(`${outfile}.map`, 'utf8')
	expect(map).not.toContain('home of the author')
	expect(map).not.toContain(place.slice(1))
	expect(JSON.parse(map).sources).toEqual(expect.arrayContaining(['driver.ts', 'rows/page.ts', '../api/json.ts']))
})
