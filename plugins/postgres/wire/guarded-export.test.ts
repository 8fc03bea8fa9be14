import { expect, test } from 'vitest'
import { startServer } from '../servers/server.ts'
import { call, open, statement } from '../test/fixture.ts'

test("an AI client's export of a statement has the rows of the statement, and none of what runs before it", async () => {
	await using server = await startServer({ schema: 'create table ids (id int); insert into ids values (7)' })
	await using connection = await open(server.settings, { costLimitRows: () => 1_000_000 })
	const read = await statement(connection, 'select id from ids')
	const file = await connection.console.openExport?.(read, { format: 'csv' }, call())
	const pieces: Uint8Array[] = []
	for (let piece = await file?.read(call()); piece; piece = await file?.read(call())) pieces.push(piece)
	await file?.close()
	expect(Buffer.concat(pieces).toString().trim().split(/\r?\n/)).toEqual(['id', '7'])
})
