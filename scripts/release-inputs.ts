import { spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { inCheckout } from './layout.ts'
import { readConfig } from './release/config.ts'
import { archiveOf, nodePackages } from './release/node-platforms.ts'

/**
 * `npm run release:inputs -- --out FOLDER`: fetches what a release is made of and a checkout does not have: Node's
 * archives with their digests and, on request, Electron. The release compares the digests (scripts/release).
 */
const { values } = parseArgs({
	options: { out: { type: 'string', default: 'archives' }, electron: { type: 'boolean', default: false } },
})
const { node } = await readConfig()
const folder = resolve(values.out)
await mkdir(folder, { recursive: true })
for (const name of ['SHASUMS256.txt', ...nodePackages.map(pack => archiveOf(pack, node))]) {
	const response = await fetch(`https://nodejs.org/dist/v${node}/${name}`)
	if (!response.ok) throw new Error(`${name}: nodejs.org answered ${response.status}.`)
	await writeFile(join(folder, name), Buffer.from(await response.arrayBuffer()))
	process.stdout.write(`${name}\n`)
}
if (values.electron) {
	// Its package compares the download with the digests that it contains.
	const { status } = spawnSync(process.execPath, [inCheckout('node_modules', 'electron', 'install.js')], {
		stdio: 'inherit',
	})
	if (status !== 0) throw new Error('Electron cannot be fetched.')
}
