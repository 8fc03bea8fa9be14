import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { plainManifest } from '../../tests/support/manifest.ts'
import { parse } from '../format/metadata-schema.ts'
import { buildCheckoutRegistry } from './checkout.ts'
import { Source } from './source.ts'
import { verifyRegistry } from './verify.ts'

let root: string
const output = () => join(root, 'output')

beforeEach(async () => {
	root = await mkdtemp(join(tmpdir(), 'roundhouse-checkout-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

/** Builds a checkout with the driver `tiny` 1.0.0 of this source. */
async function build(source: string): Promise<string> {
	const driver = join(root, 'tiny')
	await mkdir(driver, { recursive: true })
	await writeFile(join(driver, 'driver.ts'), source)
	const roundhouse = { ...plainManifest, id: 'tiny', displayName: 'Tiny' }
	await writeFile(join(driver, 'package.json'), JSON.stringify({ name: 'tiny', version: '1.0.0', roundhouse }))
	const plan = { name: 'Checkout', drivers: [driver], output: output(), state: join(root, 'state') }
	return (await buildCheckoutRegistry({ ...plan, minHostVersion: '0.1.0' })).fingerprint
}

const timestamp = async () => parse.timestamp(await readFile(join(output(), 'metadata', 'timestamp.json'))).signed

test('a checkout publishes its drivers for a year', async () => {
	const fingerprint = await build('export default 1')
	const { roles, targets, findings } = await verifyRegistry(new Source(output()), fingerprint)
	expect(findings).toEqual([])
	expect(targets.map(({ path }) => path)).toContain('roundhouse/tiny/1.0.0.tgz')
	const monthsAhead = Date.now() + 330 * 24 * 3600 * 1000
	for (const { expires } of roles) expect(Date.parse(expires)).toBeGreaterThan(monthsAhead)
})

test('a build of the same sources changes nothing, and a build of changed sources adds a version', async () => {
	await build('export default 1')
	const before = await timestamp()
	await build('export default 1')
	expect((await timestamp()).version).toBe(before.version)
	await build('export default 2')
	expect((await timestamp()).version).toBe(before.version + 1)
	expect((await verifyRegistry(new Source(output()))).findings).toEqual([])
})

test('a registry rebuilt after its removal keeps its fingerprint and its versions', async () => {
	const fingerprint = await build('export default 1')
	const before = await timestamp()
	await rm(output(), { recursive: true })
	expect(await build('export default 2')).toBe(fingerprint)
	expect((await timestamp()).version).toBe(before.version + 1)
})

test('a checkout whose keys were removed starts a new registry, also if the old one is still present', async () => {
	const fingerprint = await build('export default 1')
	await rm(join(root, 'state'), { recursive: true })
	const anew = await build('export default 1')
	expect(anew).not.toBe(fingerprint)
	expect((await verifyRegistry(new Source(output()), anew)).findings).toEqual([])
})
