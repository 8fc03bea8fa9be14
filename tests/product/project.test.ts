import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Roundhouse } from '../support/roundhouse.ts'

test('a folder of a team is opened after a yes, again without one, and after a change with another', async () => {
	await using roundhouse = await Roundhouse.make()
	const folder = await mkdtemp(join(tmpdir(), 'roundhouse-project-'))
	await using _ = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
	await mkdir(join(folder, 'statements'))
	const write = (database: string) =>
		writeFile(
			join(folder, 'roundhouse.json'),
			JSON.stringify({
				format: 'roundhouse-project',
				version: 1,
				requests: 'statements',
				connections: [
					{
						name: 'Shop',
						driverId: 'postgres',
						settings: { host: 'db.example', database },
						hiddenColumns: [{ table: 'people', column: 'salary' }],
					},
				],
			}),
		)
	await write('shop')
	const open = (...more: readonly string[]) => roundhouse.run(['project', 'open', folder, ...more])
	const asked = await open()
	expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining('Say --yes to open it') })
	expect(asked.stdout).toMatch(/\+ {2}Shop {2}PostgreSQL {2}db\.example:5432\/shop/)
	expect(asked.stdout).toContain('hidden from AI clients: people  salary')
	expect(asked.stdout).toContain('Statements: statements')
	expect(await roundhouse.json(['connection', 'list'])).toEqual([])
	expect(await open('--yes')).toMatchObject({ code: 0, stdout: expect.stringMatching(/Shop is /) })
	expect(await roundhouse.json(['connection', 'list'])).toMatchObject([
		{ name: 'Shop', hiddenColumns: [{ table: 'people', column: 'salary' }] },
	])
	expect(await open()).toMatchObject({ code: 0 })
	await write('store')
	const changed = await open()
	expect(changed).toMatchObject({ code: 1 })
	expect(changed.stdout).toContain('Database: shop becomes store')
	expect(await open('--yes')).toMatchObject({ code: 0 })
	expect(await roundhouse.json(['connection', 'list'])).toMatchObject([{ settings: { database: 'store' } }])
})
