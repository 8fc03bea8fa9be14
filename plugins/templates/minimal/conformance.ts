import { conformance } from '@roundhouse/kit/conformance'

/** What `roundhouse driver check` tries on this driver. */
export default conformance({
	fixture: { settings: { owner: 'Ada' } },
	can: {
		authenticate: 'The notes have no secret.',
		cancelStatements: 'Every statement ends at once.',
		export: 'The notes have no export.',
		refuseUnpermitted: 'The notes are in the memory of the process: nothing is sent.',
	},
	edits: {
		table: 'notes',
		insert: { text: 'New', stars: 1 },
		update: { text: 'Newer' },
		values: { text: ['', ' ', '🚂', "it's", '9223372036854775807'], stars: [0, -1, 0.1] },
	},
	statements: {
		read: ['list'],
		write: ['add Tea'],
		destructive: ['remove 1', 'clear'],
		broken: ['drop everything', 'list;clear'],
		failing: 'remove 99',
	},
	tools: { count_notes: {} },
})
