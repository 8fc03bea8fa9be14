import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import type { FileFormat } from './file-format.ts'
import { ImportJob, type RowSink } from './import-job.ts'

/** Counts rows, and keeps none. */
const counting: RowSink = {
	isWhole: false,
	send: async rows => rows.map(() => ({ status: 'applied' })),
	finish: async () => undefined,
	abort: async () => {},
}
const pieceBytes = 256 * 1024

/** What stands before, between and after the rows. */
const frames = {
	csv: { first: 'name,size\n', separator: '', last: '' },
	ndjson: { first: '', separator: '\n', last: '' },
	json: { first: '[', separator: ',', last: 'null]' },
}

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Imports a file of about a size, which exists one piece at a time. @returns bytes that the import holds at most */
async function memoryOf(format: FileFormat, megabytes: number): Promise<number> {
	const column = { type: 'text', kind: 'text', isKey: false, isReadOnly: false, isSortable: true } as const
	const mapping = [{ field: 'name', column: { ...column, name: 'name' } }]
	const line = format.format === 'csv' ? `"x\n${'y'.repeat(60)}",2\n` : `{"name":"${'y'.repeat(60)}","size":2}`
	const rowsOfPiece = Math.floor(pieceBytes / (line.length + 1))
	const { first, separator, last } = frames[format.format]
	const piece = Buffer.from(`${line}${separator}`.repeat(rowsOfPiece))
	const pieces = megabytes * 4
	const sizeBytes = first.length + piece.length * pieces + last.length
	const job = new ImportJob({
		...{ sink: counting, format, mapping, onConflict: 'fail', sizeBytes },
		...{ assertMayWrite: () => {}, onEnd: async () => {} },
	})
	const held = () => {
		collect()
		const { heapUsed, arrayBuffers } = process.memoryUsage()
		return heapUsed + arrayBuffers
	}
	await job.write(Buffer.from(first))
	const before = held()
	let most = 0
	for (let at = 0; at < pieces; at++) {
		await job.write(Buffer.from(piece))
		if (at % 16 === 15) most = Math.max(most, held() - before)
	}
	await job.write(Buffer.from(last))
	const { imported, state } = await job.end()
	expect({ imported, state }).toEqual({ imported: rowsOfPiece * pieces, state: 'done' })
	return most
}

test.each([
	{ format: 'csv', delimiter: ',', hasHeader: true },
	{ format: 'ndjson' },
	{ format: 'json' },
] as const)('a file of $format that is five times as long needs no more memory', async format => {
	const small = await memoryOf(format, 4)
	const large = await memoryOf(format, 20)
	// A batch, a piece and what the engine of JavaScript keeps; a file that is held would be 16 MB more.
	expect(large - small).toBeLessThan(4 * 1024 * 1024)
}, 60_000)
