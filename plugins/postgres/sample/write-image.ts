import nodeCrypto from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { brotliCompressSync, constants } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { sampleData } from './data.ts'

/**
 * Writes the data directory of the sample: `node write-image.ts FILE`. A program, because it stops the clock and the
 * random numbers of its process, so that each build has the same bytes. A server with the directory starts in a third of
 * the time that one needs to make it.
 */

const instant = Date.UTC(2026, 0, 1)
globalThis.Date = class extends Date {
	constructor(time: string | number | Date = instant) {
		super(time)
	}
	static override now = () => instant
} as DateConstructor
nodeCrypto.randomFillSync = view => view

const db = await PGlite.create()
await db.exec(sampleData)
// A function of the session would stay in the catalog of the next server.
await db.exec('discard temp')
await db.exec('checkpoint')
const tar = new Uint8Array(await (await db.dumpDataDir('none')).arrayBuffer())
const params = { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_LGWIN]: 24 }
await writeFile(process.argv[2] ?? '', brotliCompressSync(tar, { params }))
await db.close()
