import { readFile } from 'node:fs/promises'
import { setImmediate as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { sampleData } from './data.ts'

/** PostgreSQL in WebAssembly, in the memory of the process. */

/** In the bundle this module is beside `generated`; in the sources it is one folder below. */
const folderUrl = import.meta.url.replace(/\/sample\/engine\.ts$/, '/driver.js')
const read = (name: string) => readFile(fileURLToPath(new URL(`./generated/${name}`, folderUrl)))

export async function openEngine(): Promise<PGlite> {
	const [engine, initdb, files] = await Promise.all(['pglite.wasm', 'initdb.wasm', 'pglite.data'].map(read))
	if (!engine || !initdb || !files) throw new Error('a file of the sample is missing')
	const [pgliteWasmModule, initdbWasmModule] = await Promise.all(
		[engine, initdb].map(bytes => WebAssembly.compile(bytes)),
	)
	const db = await PGlite.create({
		...(pgliteWasmModule && { pgliteWasmModule }),
		...(initdbWasmModule && { initdbWasmModule }),
		fsBundle: new Blob([files]),
	})
	// The engine blocks the process while it works, which the host takes for a driver that hangs if it lasts.
	for (const statement of sampleData.split(/;\n/)) {
		await db.exec(statement)
		await pause()
	}
	return db
}
