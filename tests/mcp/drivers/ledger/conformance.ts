import { conformance } from '@roundhouse/kit/conformance'

/** Tells the conformance kit how to test the ledger. */
export default conformance({
	fixture: { settings: { host: 'ledger' } },
	can: {
		authenticate: 'The ledger accepts every password.',
		filter: 'The ledger has few accounts.',
		sort: 'The ledger has few accounts.',
		refuseUnpermitted: 'Statements change nothing but a list in memory.',
	},
	edits: {
		table: 'accounts',
		insert: { id: 'eve', balance: 5 },
		update: { balance: 6 },
		values: { balance: [null, { number: '9223372036854775807' }, { number: '-0.10' }] },
	},
	statements: {
		read: ['read accounts', 'many 3'],
		write: ['put dora'],
		destructive: ['drop all'],
		failing: 'echo it failed',
		slow: 'slow',
	},
	tools: { echo: { text: 'hello' } },
})
