import { expect, test } from 'vitest'
import { hasServer } from '../servers/server.ts'
import { call, connectedForFile } from '../test/connection.ts'

const { connection } = await connectedForFile({ schema: 'create table t (id bigint primary key, a int)' })

test.skipIf(!hasServer)(
	'a row with a key that a double cannot hold is found after an insertion and a change of the key',
	async () => {
		const [key, other] = ['9007199254740993', '9007199254740995']
		const [inserted] = await connection.applyChanges(
			'shop.t',
			[{ kind: 'insert', values: { id: { number: key }, a: 1 } }],
			call(),
		)
		expect(inserted).toMatchObject({ status: 'applied', rowId: `["${key}"]`, version: expect.any(String) })
		const moved = { kind: 'update', rowId: `["${key}"]`, set: { id: { number: other } } } as const
		expect(await connection.applyChanges('shop.t', [moved], call())).toMatchObject([
			{ status: 'applied', rowId: `["${other}"]`, version: expect.any(String) },
		])
	},
)
