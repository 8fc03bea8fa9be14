import { conformance } from '@roundhouse/kit/conformance'

/** Tells the conformance kit how to test the shop. */
export default conformance({
	fixture: { settings: {} },
	can: {
		authenticate: 'The shop has no secret.',
		filter: 'The shop only compares for equality.',
		sort: 'The shop has few rows.',
		cancelStatements: 'Every statement ends at once.',
		refuseUnpermitted: 'The shop is in the memory of the process: nothing is sent.',
	},
	table: 'shop.public.orders',
	edits: {
		table: 'shop.public.customers',
		insert: { name: 'Eve', note: 'new' },
		update: { note: 'old' },
		values: { note: ['', ' ', '🚂'] },
	},
	statements: {
		read: ['read shop.public.orders', 'both'],
		write: ['pay 1'],
		broken: ['sell everything'],
		failing: 'pay 99',
		parameters: { text: 'echo {{value}}', name: 'value' },
		leftover: { set: 'label red', show: 'label' },
		transaction: {
			begin: 'begin',
			write: 'pay 1',
			read: 'read shop.public.orders',
			commit: 'commit',
			rollback: 'rollback',
		},
		rehearsals: {
			trigger: {
				statement: 'ship 1',
				effect: { 'shop.public.orders': { updated: 1 }, 'shop.public.customers': { updated: 1 } },
			},
			cascade: {
				prepare: ['enter 7', 'order 7', 'order 7'],
				statement: 'remove 7',
				effect: { 'shop.public.customers': { deleted: 1 }, 'shop.public.orders': { deleted: 2 } },
			},
			sequence: { statement: 'order 1', effect: { 'shop.public.orders': { inserted: 1 } } },
		},
	},
})
