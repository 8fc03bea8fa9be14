import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import type { FileFormat } from './file-format.ts'
import { ImportJob, type RowSink } from './import-job.ts'

/** Accepts every row and stores none. */
const counting: RowSink = {
	isAtomic: false,
	send: async rows => rows.map(() => ({ status: 'applied' })),
	finish: async () => undefined,
	abort: async () => {},
}
const chunkBytes = 256 * 1024

/** Text before, between and after the rows in each format. */
const frames = {
	csv: { first: 'name,size\n', separator: '', last: '' },
	ndjson: { first: '', separator: '\n', last: '' },
	json: { first: '[', separator: ',', last: 'null]' },
}

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/**
 * Imports a generated file of about the given size, one chunk at a time. @returns the peak memory of the import in
 * bytes
 */
async function peakMemoryOf(format: FileFormat, megabytes: number): Promise<number> {
	const column = { type: 'text', kind: 'text', isKey: false, isReadOnly: false, isSortable: true } as const
	const mapping = [{ field: 'name', column: { ...column, name: 'name' } }]
	const line = format.format === 'csv' ? `"x\n${'y'.repeat(60)}",2\n` : `{"name":"${'y'.repeat(60)}","size":2}`
	const rowsPerChunk = Math.floor(chunkBytes / (line.length + 1))
	const { first, separator, last } = frames[format.format]
	const chunk = Buffer.from(`${line}${separator}`.repeat(rowsPerChunk))
	const chunks = megabytes * 4
	const sizeBytes = first.length + chunk.length * chunks + last.length
	const job = new ImportJob({
		sink: counting,
		format,
		mapping,
		csvBytes: 'base64',
		onConflict: 'fail',
		sizeBytes,
		assertMayWrite: () => {},
		onEnd: async () => {},
	})
	const held = () => {
		collect()
		const { heapUsed, arrayBuffers } = process.memoryUsage()
		return heapUsed + arrayBuffers
	}
	await job.write(Buffer.from(first))
	const before = held()
	let peak = 0
	for (let at = 0; at < chunks; at++) {
		await job.write(Buffer.from(chunk))
		if (at % 16 === 15) peak = Math.max(peak, held() - before)
	}
	await job.write(Buffer.from(last))
	const { imported, state } = await job.end()
	expect({ imported, state }).toEqual({ imported: rowsPerChunk * chunks, state: 'done' })
	return peak
}

test.each([
	{ format: 'csv', delimiter: ',', hasHeader: true },
	{ format: 'ndjson' },
	{ format: 'json' },
] as const)('a file of $format that is five times as long needs no more memory', async format => {
	const small = await peakMemoryOf(format, 4)
	const large = await peakMemoryOf(format, 20)
	// Allows for one batch, one chunk and memory that V8 has not released. If the import kept the whole file, the
	// difference would be 16 MB.
	expect(large - small).toBeLessThan(4 * 1024 * 1024)
})

test('an import that is all or nothing goes on after a wrong value, so that the engine names its own bad rows, and tells each', async () => {
	const number = {
		type: 'int',
		kind: 'number',
		isKey: false,
		isReadOnly: false,
		isSortable: true,
		name: 'size',
	} as const
	const sent: number[] = []
	const text = 'size\n1\nmany\n3\n4 or 5\n'
	const job = new ImportJob({
		sink: {
			isAtomic: true,
			send: async rows => {
				sent.push(...rows.map(({ line }) => line))
				return rows.map(({ line }) =>
					line === 4 ? { status: 'failed' as const, message: 'three is taken' } : { status: 'applied' as const },
				)
			},
			finish: async () => expect.unreachable(),
			abort: async () => {},
		},
		format: { format: 'csv', delimiter: ',', hasHeader: true },
		mapping: [{ field: 'size', column: number }],
		csvBytes: 'base64',
		onConflict: 'fail',
		sizeBytes: text.length,
		assertMayWrite: () => {},
		onEnd: async () => {},
	})
	await job.write(Buffer.from(text))
	const { state, rows, imported, message, faults } = await job.end()
	expect({ state, rows, imported, sent }).toEqual({ state: 'failed', rows: 4, imported: 0, sent: [2, 4] })
	expect(message).toMatch(/^Nothing was imported/)
	expect(faults.map(({ line, message, values }) => [line, message, values])).toEqual([
		[3, 'size is not a number: "many"', 'many'],
		[5, 'size is not a number: "4 or 5"', '4 or 5'],
		[4, 'three is taken', '3'],
	])
})

test('bad rows are left out if the user wants it, and the others are stored', async () => {
	const text = 'name\na\nb\nc\n'
	let isFinished = false
	const column = {
		name: 'name',
		type: 'text',
		kind: 'text',
		isKey: false,
		isReadOnly: false,
		isSortable: true,
	} as const
	const job = new ImportJob({
		sink: {
			isAtomic: true,
			send: async rows =>
				rows.map(({ line }) =>
					line === 3 ? { status: 'failed' as const, message: 'too long' } : { status: 'applied' as const },
				),
			finish: async () => {
				isFinished = true
				return undefined
			},
			abort: async () => expect.unreachable(),
		},
		format: { format: 'csv', delimiter: ',', hasHeader: true },
		mapping: [{ field: 'name', column }],
		csvBytes: 'base64',
		onConflict: 'fail',
		skipsBad: true,
		sizeBytes: text.length,
		assertMayWrite: () => {},
		onEnd: async () => {},
	})
	await job.write(Buffer.from(text))
	expect(await job.end()).toMatchObject({ state: 'done', imported: 2, failed: 1, faults: [{ line: 3, values: 'b' }] })
	expect(isFinished).toBe(true)
})
