import { expect, test } from 'vitest'
import type { SavedConnection } from '../../connections/connection-fields.ts'
import type { Caller } from '../protocol/caller.ts'
import { refusalOf } from './policy.ts'

const caller: Caller = {
	key: 'key',
	tokenId: 'id',
	grantee: 'id',
	name: 'Editor',
	scopes: new Set(),
	groups: undefined,
	connections: undefined,
	expiresAt: undefined,
}

type Policy = Pick<SavedConnection, 'externalAccess' | 'aiPolicy'>

function connection(policy: Partial<Policy>): SavedConnection {
	return {
		id: 'books',
		name: 'Books',
		driverId: 'ledger',
		settings: {},
		secretKeys: [],
		secretSources: {},
		isSample: false,
		safeMode: 'free',
		isProduction: false,
		hiddenToolGroups: [],
		triesWrites: true,
		mostChangedRows: 100,
		hiddenColumns: [],
		group: '',
		reach: [],
		createdAt: '2026-07-28T00:00:00.000Z',
		externalAccess: 'read-write',
		aiPolicy: 'allow',
		...policy,
	}
}

test('a refusal names the one setting that refused', () => {
	const refused = (policy: Partial<Policy>) => refusalOf(connection(policy), caller, { access: 'write' })
	expect(refused({ aiPolicy: 'never', externalAccess: 'blocked' })).toMatch('AI policy of "Books" is "never"')
	expect(refused({ externalAccess: 'blocked' })).toMatch('External access of "Books" is "blocked"')
	expect(refused({ externalAccess: 'read-only' })).toMatch('External access of "Books" is "read-only"')
	expect(refused({ aiPolicy: 'ask' })).toBeUndefined()
})

test('a read-only connection allows reading', () => {
	const readOnly = connection({ externalAccess: 'read-only' })
	expect(refusalOf(readOnly, caller, { access: 'read' })).toBeUndefined()
	expect(refusalOf(readOnly, caller, { access: 'destructive' })).toMatch('"read-only"')
})

test('a token reaches only the connections of its list', () => {
	const listed = (ids: readonly string[]) => ({ ...caller, connections: new Set(ids) })
	expect(refusalOf(connection({}), listed(['books']), { access: 'read' })).toBeUndefined()
	expect(refusalOf(connection({}), listed([]), { access: 'read' })).toMatch(
		'The token "Editor" may not reach this connection',
	)
})
