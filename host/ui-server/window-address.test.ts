import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { portsAfter, takeWindowAddress } from './window-address.ts'

let folder = ''
const file = () => join(folder, 'window.json')
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'roundhouse-place-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Returns the port, name and path that a launch uses for its window. */
async function launch(wanted = 0) {
	const { port, place } = await takeWindowAddress(file(), wanted)
	await port[Symbol.asyncDispose]()
	return place
}

test('the next launch uses the same place as the last one', async () => {
	const first = await launch()
	expect(await launch()).toEqual(first)
	expect((await stat(file())).mode & 0o077).toBe(0)
})

test('if another program has the port, the launch uses one of the next ports with a new name and path, and keeps the key', async () => {
	const first = await takeWindowAddress(file(), 0)
	await using last = first.port
	const next = await launch()
	expect(portsAfter(last.port)).toContain(next.port)
	expect([next.name, next.path].some(part => Object.values<unknown>(first.place).includes(part))).toBe(false)
	expect(next.returnKey).toBe(first.place.returnKey)
})

test('without a record of the last launch, the whole place is new', async () => {
	const first = await launch()
	await writeFile(file(), 'nothing of the kind')
	const other = await launch()
	expect([other.name, other.path, other.returnKey].some(part => Object.values<unknown>(first).includes(part))).toBe(
		false,
	)
})

test('the launch tries no port above the valid range', () => {
	expect(portsAfter(65_532)).toEqual([65_533, 65_534, 65_535])
})
