import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { create } from 'tar'
import { expect, onTestFinished, test } from 'vitest'
import { fromArchive } from '../../scripts/release/node-binary.ts'
import { archiveOf, nodePackages } from '../../scripts/release/node-platforms.ts'

const version = '26.10.0'
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Writes archives in the form of nodejs.org/dist. @returns their folder, and the digest of their list */
async function archives() {
	const root = await mkdtemp(join(tmpdir(), 'roundhouse-archives-'))
	onTestFinished(() => rm(root, { recursive: true, force: true }))
	const lines: string[] = []
	for (const pack of nodePackages) {
		const file = archiveOf(pack, version)
		const name = `node-v${version}-${pack.archive}`
		const program = pack.os === 'win32' ? `${name}/node.exe` : `${name}/bin/node`
		const text = { [program]: `program of ${file}`, [`${name}/LICENSE`]: 'licence', [`${name}/include/node.h`]: 'head' }
		if (pack.os === 'win32') {
			const bytes = Object.entries(text).map(([path, content]) => [path, Buffer.from(content)] as const)
			await writeFile(join(root, file), zipSync(Object.fromEntries(bytes)))
		} else {
			for (const [path, content] of Object.entries(text)) {
				await mkdir(join(root, path, '..'), { recursive: true })
				await writeFile(join(root, path), content)
			}
			await create({ file: join(root, file), cwd: root, gzip: true }, [name])
		}
		lines.push(`${sha256(await readFile(join(root, file)))}  ${file}`)
	}
	const sums = `${lines.join('\n')}\n`
	await writeFile(join(root, 'SHASUMS256.txt'), sums)
	return { root, nodeSums: sha256(Buffer.from(sums)) }
}

test('the program of each platform is taken from Node’s archive, without its headers', async () => {
	const { root, nodeSums } = await archives()
	for (const pack of nodePackages) {
		const places = { archives: root, staging: join(root, 'staging', pack.name) }
		const { program, license, says } = await fromArchive(pack, { node: version, nodeSums }, places)
		expect(await readFile(program, 'utf8')).toBe(`program of ${archiveOf(pack, version)}`)
		expect(await readFile(license, 'utf8')).toBe('licence')
		expect(says).toContain('is the one that Node published')
	}
})

test('a changed archive and a changed list are refused', async () => {
	const { root, nodeSums } = await archives()
	const [pack] = nodePackages
	if (!pack) throw new Error('no platform')
	const places = { archives: root, staging: join(root, 'staging') }
	const other = { node: version, nodeSums: 'a'.repeat(64) }
	await expect(fromArchive(pack, other, places)).rejects.toThrow('is not the one that release.json names')
	await writeFile(join(root, archiveOf(pack, version)), 'another')
	const known = { node: version, nodeSums }
	await expect(fromArchive(pack, known, places)).rejects.toThrow('is not the one that Node published')
})
