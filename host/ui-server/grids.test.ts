import { manifestSchema } from '@roundhouse/kit/manifest'
import { expect, test } from 'vitest'
import { driverFromSource } from '../../tests/support/driver-from-source.ts'
import { temporarySupport } from '../../tests/support/support-directory.ts'
import { SavedConnections } from '../connections/saved-connections.ts'
import { openSecretStore } from '../connections/secrets.ts'
import { Sessions } from '../connections/sessions.ts'
import { Grids } from './grids.ts'

const manifest = manifestSchema.parse({
	id: 'test',
	displayName: 'Test',
	description: 'A driver that counts its open grids.',
	publisher: 'Tests',
	category: 'Test',
	icon: '<svg></svg>',
	tableNoun: { one: 'Table', many: 'Tables' },
	engines: { roundhouse: '*' },
	entry: 'driver.js',
	permissions: { network: 'none' },
	form: [],
})
const query = { table: 'books', filters: [], match: 'all', sort: [] } as const

/** Its one table is named after how many of its grids are open. */
const countingDriver = () =>
	driverFromSource("return [{ name: open + ' open' }]", {
		top: 'let open = 0',
		members: `openGrid: async () => {
			open++
			return { page: async () => new TextEncoder().encode('{}'), close: async () => void open-- }
		},`,
	})

test('pages that find the driver lost at the same time open the grid anew once, and closing it leaves none', async () => {
	process.env.ROUNDHOUSE_SECRETS = 'file'
	await using support = await temporarySupport()
	await using first = await countingDriver()
	await using second = await countingDriver()
	const saved = await SavedConnections.open(support.file('connections.json'), await openSecretStore(support.file))
	const { id } = await saved.add({ name: 'Lost', driverId: 'test', settings: {} }, manifest)
	const sessions = new Sessions(saved, {
		ensure: async () => manifest,
		process: async () => (first.isAlive ? first : second),
		sample: async () => ({ settings: {}, url: '' }),
	})
	const grids = new Grids(sessions)
	const grid = await grids.open(id, query, {})
	process.kill(first.pid ?? 0, 'SIGKILL')
	await first.exited

	await Promise.all([0, 100, 200].map(offset => grids.page(grid, { offset, limit: 100 }, {})))
	const opened = await sessions.open(id)
	expect(await opened.call('listTables', {})).toEqual([{ name: '1 open' }])
	await grids.close(grid)
	expect(await opened.call('listTables', {})).toEqual([{ name: '0 open' }])
})
