import { execFile } from 'node:child_process'
import { copyFile, mkdir, rename, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** What the driver reads at run time: WebAssembly with its licences, and the data of the sample. A part of the build. */

const { resolve } = createRequire(import.meta.url)

/** Puts the programs of this driver's libraries beside its code, where its process may read them, and makes the sample. */
export async function copyPrograms(): Promise<void> {
	const folder = join(import.meta.dirname, 'generated')
	await mkdir(folder, { recursive: true })
	const grammar = join(dirname(resolve('libpg-query/wasm/libpg-query.js')), 'libpg-query.wasm')
	const pglite = dirname(resolve('@electric-sql/pglite'))
	const sample = ['pglite.wasm', 'pglite.data'].map(name => join(pglite, name))
	const licences = { 'libpg-query': join(dirname(grammar), '..'), pglite: join(pglite, '..') }
	await put(join(import.meta.dirname, 'postgresql.LICENSE'), join(folder, 'postgresql.LICENSE'))
	await Promise.all(
		Object.entries(licences).map(([name, from]) => put(join(from, 'LICENSE'), join(folder, `${name}.LICENSE`))),
	)
	await Promise.all([grammar, ...sample].map(file => put(file, join(folder, file.slice(dirname(file).length + 1)))))
	await makeSample(join(folder, 'sample.tar.br'), join(pglite, '..', 'package.json'))
}

/** Makes the data of the sample, which takes seconds, unless the file is newer than what it is made from. */
async function makeSample(file: string, version: string): Promise<void> {
	const program = join(import.meta.dirname, 'sample', 'write-image.ts')
	const sources = [program, join(import.meta.dirname, 'sample', 'data.ts'), version]
	const [made = 0, ...changed] = await Promise.all([file, ...sources].map(modifiedMs))
	if (made > Math.max(...changed)) return
	const beside = `${file}.${process.pid}`
	await promisify(execFile)(process.execPath, [program, beside])
	await rename(beside, file)
}

const modifiedMs = (file: string) =>
	stat(file).then(
		({ mtimeMs }) => mtimeMs,
		() => 0,
	)

/** Replaces a file whole: another build may do the same, and a driver may read it. */
async function put(from: string, to: string): Promise<void> {
	const beside = `${to}.${process.pid}`
	await copyFile(from, beside)
	await rename(beside, to)
}
