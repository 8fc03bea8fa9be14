import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { MetadataCache } from '../../registry/client/metadata-cache.ts'
import { downloadTarget } from '../../registry/client/target.ts'
import { fingerprintOf } from '../../registry/format/digests.ts'

/**
 * The program that The Update Framework's conformance suite drives (theupdateframework/tuf-conformance, CLIENT-CLI.md).
 * It runs the host's own registry client, under the three commands of the suite.
 */

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		'metadata-dir': { type: 'string', default: '' },
		'metadata-url': { type: 'string', default: '' },
		'target-name': { type: 'string', multiple: true, default: [] },
		'target-base-url': { type: 'string', default: '' },
		'target-dir': { type: 'string', default: '' },
	},
})
const [command, trustedRoot] = positionals
const metadataDir = values['metadata-dir']
/** The folder that the suite reads contains only files of the trusted generation. The cache itself is beside it. */
const cacheFolder = `${metadataDir}.cache`

function openCache(root: Buffer, url: string): MetadataCache {
	return new MetadataCache({
		folder: cacheFolder,
		metadataUrl: new URL(url.endsWith('/') ? url : `${url}/`),
		fingerprint: fingerprintOf(root),
	})
}

async function show(): Promise<void> {
	const state = await readFile(join(cacheFolder, 'state.json'), 'utf8').catch(() => undefined)
	if (!state) return
	for (const file of await readdir(metadataDir)) await rm(join(metadataDir, file))
	await cp(join(cacheFolder, JSON.parse(state).trusted), metadataDir, { recursive: true })
}

async function run(): Promise<void> {
	const pinned = join(cacheFolder, 'roots', 'pinned.root.json')
	if (command === 'init') {
		const root = await readFile(trustedRoot ?? '')
		await mkdir(metadataDir, { recursive: true })
		await openCache(root, 'http://127.0.0.1/').pin(root)
		await cp(pinned, join(metadataDir, 'root.json'))
		return
	}
	const cache = openCache(await readFile(pinned), values['metadata-url'])
	try {
		await cache.refresh(async ({ updater, staged: { root } }) => {
			if (command !== 'download') return
			for (const name of values['target-name']) {
				const target = await updater.getTargetInfo(name)
				if (!target) throw new Error(`${name} is not in the repository`)
				const path = join(values['target-dir'], encodeURIComponent(name))
				if (await updater.findCachedTarget(target, path)) continue
				await downloadTarget(target, {
					baseUrl: new URL(values['target-base-url'].replace(/\/?$/, '/')),
					path,
					hasHashedName: root.metadata.signed.consistentSnapshot,
				})
			}
		})
	} finally {
		await show()
	}
}

run().catch(error => {
	console.error(error)
	process.exitCode = 1
})
