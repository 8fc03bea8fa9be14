import { copyFile, mkdir, rename } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** WebAssembly that the driver reads at run time, with its licences. A part of the build. */

const { resolve } = createRequire(import.meta.url)

/** Copies the programs of this driver's libraries beside its code, where its process may read them. */
export async function copyPrograms(): Promise<void> {
	const folder = join(import.meta.dirname, 'generated')
	await mkdir(folder, { recursive: true })
	const grammar = join(dirname(resolve('libpg-query/wasm/libpg-query.js')), 'libpg-query.wasm')
	const pglite = dirname(resolve('@electric-sql/pglite'))
	const sample = ['pglite.wasm', 'pglite.data', 'initdb.wasm'].map(name => join(pglite, name))
	const licences = { 'libpg-query': join(dirname(grammar), '..'), pglite: join(pglite, '..') }
	await put(join(import.meta.dirname, 'postgresql.LICENSE'), join(folder, 'postgresql.LICENSE'))
	await Promise.all(
		Object.entries(licences).map(([name, from]) => put(join(from, 'LICENSE'), join(folder, `${name}.LICENSE`))),
	)
	await Promise.all([grammar, ...sample].map(file => put(file, join(folder, file.slice(dirname(file).length + 1)))))
}

/** Replaces a file whole: another build may do the same, and a driver may read it. */
async function put(from: string, to: string): Promise<void> {
	const beside = `${to}.${process.pid}`
	await copyFile(from, beside)
	await rename(beside, to)
}
