import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { inCheckout } from './layout.ts'

test('the window can be built from any working directory', async () => {
	const elsewhere = await mkdtemp(join(tmpdir(), 'roundhouse-elsewhere-'))
	try {
		const program = `
			import { build } from ${JSON.stringify(import.meta.resolve('esbuild'))}
			import { solid } from ${JSON.stringify(import.meta.resolve('./solid-plugin.ts'))}
			const entryPoints = [${JSON.stringify(inCheckout('ui/controls/notice.tsx'))}]
			const { outputFiles } = await build({ entryPoints, plugins: [solid()], write: false })
			process.stdout.write(outputFiles[0].text)`
		const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
			cwd: elsewhere,
		})
		expect(stdout).toContain('solid-js/web')
	} finally {
		await rm(elsewhere, { recursive: true, force: true })
	}
})
