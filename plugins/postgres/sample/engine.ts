import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'

/** PostgreSQL in WebAssembly, in the memory of the process, with the data that `write-image.ts` has made. */

/** In the bundle this module is beside `generated`; in the sources it is one folder below. */
const folderUrl = import.meta.url.replace(/\/sample\/engine\.ts$/, '/driver.js')
const read = (name: string) => readFile(fileURLToPath(new URL(`./generated/${name}`, folderUrl)))

export async function openEngine(): Promise<PGlite> {
	const [program, files, data] = await Promise.all([
		read('pglite.wasm').then(bytes => WebAssembly.compile(bytes)),
		read('pglite.data'),
		read('sample.tar.br').then(bytes => promisify(brotliDecompress)(bytes)),
	])
	return PGlite.create({ pgliteWasmModule: program, fsBundle: new Blob([files]), loadDataDir: new Blob([data]) })
}
