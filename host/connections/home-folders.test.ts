import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listFolder } from './home-folders.ts'

let root: string
let home: string
let support: string
const before = process.env.HOME

beforeAll(async () => {
	root = await realpath(await mkdtemp(join(tmpdir(), 'roundhouse-home-folders-')))
	home = join(root, 'home')
	support = join(home, '.roundhouse')
	for (const folder of [join(home, 'certificates'), join(home, '.ssh'), support, join(root, 'elsewhere')])
		await mkdir(folder, { recursive: true })
	for (const file of ['b.pem', 'a.pem', '.profile', 'certificates/ca.pem']) await writeFile(join(home, file), 'secret')
	await symlink(join(root, 'elsewhere'), join(home, 'out'))
	await symlink(join(home, 'nowhere'), join(home, 'broken'))
	process.env.HOME = home
})
afterAll(async () => {
	process.env.HOME = before
	await rm(root, { recursive: true, force: true })
})

const names = async (path?: string) => (await listFolder(path, support)).entries.map(({ name }) => name)

test('lists folders before files, hidden ones last, without the folder of the host and broken links', async () => {
	expect(await names()).toEqual(['certificates', 'out', 'a.pem', 'b.pem', '.ssh', '.profile'])
	expect(await listFolder(undefined, support)).toMatchObject({ path: home, label: '~', parent: null, isCut: false })
})

test('a path of a file lists its folder, and says the folder above', async () => {
	const listing = await listFolder(join(home, 'certificates', 'ca.pem'), support)
	expect(listing).toMatchObject({ label: '~/certificates', parent: home })
	expect(listing.entries).toEqual([{ name: 'ca.pem', path: join(home, 'certificates', 'ca.pem'), isFolder: false }])
})

test.each([
	['a folder outside', () => join(root, 'elsewhere'), 'not in your home'],
	['a link that leads outside', () => join(home, 'out'), 'not in your home'],
	['a path with ..', () => join(home, 'certificates', '..', '..', 'elsewhere'), 'not in your home'],
	['the folder of the host', () => support, 'Roundhouse keeps its own settings'],
	['a missing folder', () => join(home, 'missing'), 'no such file'],
])('%s is refused', async (_name, path, reason) => {
	await expect(listFolder(path(), support)).rejects.toThrow(reason)
})
