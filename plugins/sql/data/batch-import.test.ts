import { type Cell, type ChangeOutcome, DriverError } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { call } from '../testing/calls.ts'
import { BatchImport, type Importing } from './batch-import.ts'

/** A table in memory that refuses negative numbers and keys that it has, with one savepoint. */
class Table implements Importing {
	rows: number[] = []
	#saved: number[] = []
	savepoints = 0
	isCommitted = false

	async begin() {}
	async savepoint() {
		this.savepoints++
		this.#saved = [...this.rows]
	}
	async rollbackToSavepoint() {
		this.rows = [...this.#saved]
	}
	async insertAll(rows: readonly (readonly Cell[])[]): Promise<ChangeOutcome> {
		for (const row of rows) await this.insertOne(row)
		return { status: 'applied' }
	}
	async insertOne([cell]: readonly Cell[]): Promise<ChangeOutcome> {
		const key = Number(cell)
		if (key === 0) throw new DriverError('not_connected', 'The server is gone.')
		if (key < 0) throw new DriverError('invalid_argument', 'A key is not negative.')
		if (this.rows.includes(key)) throw new DriverError('denied', 'The key exists.')
		this.rows.push(key)
		return { status: 'applied' }
	}
	isConflict({ code }: DriverError) {
		return code === 'denied'
	}
	async commit() {
		this.isCommitted = true
	}
	close() {}
}

const cells = (...keys: readonly number[]) => keys.map(key => [key])

test('each bad row of a batch is named, and the others are stored once', async () => {
	const table = new Table()
	const target = new BatchImport(table)
	const outcomes = await target.write(cells(1, -1, 2, 3, 3, -2), call())
	expect(outcomes.map(({ status }) => status)).toEqual([
		'applied',
		'failed',
		'applied',
		'applied',
		'conflict',
		'failed',
	])
	expect(await target.write(cells(4, 1), call())).toMatchObject([{ status: 'applied' }, { status: 'conflict' }])
	await target.finish(call())
	expect([table.rows, table.isCommitted]).toEqual([[1, 2, 3, 4], true])
})

test('a batch without a bad row has one savepoint, and a lost server ends the import', async () => {
	const table = new Table()
	const target = new BatchImport(table)
	await target.write(cells(1, 2, 3), call())
	expect(table.savepoints).toBe(1)
	await expect(target.write(cells(4, 0, 5), call())).rejects.toThrow('The server is gone.')
	expect(table.isCommitted).toBe(false)
})
