import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { onChange } from './on-change.ts'

test('saves during a build lead to one more build, which sees the last of them', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'roundhouse-saves-'))
	let [builds, lastBuildAt] = [0, 0]
	const watching = onChange(folder, async () => {
		builds++
		lastBuildAt = performance.now()
		await sleep(400)
	})
	for (let save = 0; save < 8; save++) {
		await writeFile(join(folder, 'driver.ts'), String(save))
		await sleep(80)
	}
	const lastSaveAt = performance.now() - 80
	await sleep(400)
	await watching[Symbol.asyncDispose]()
	await rm(folder, { recursive: true })
	expect(builds).toBeLessThan(4)
	expect(lastBuildAt).toBeGreaterThan(lastSaveAt)
})
