import { conformance } from '@roundhouse/kit/conformance'

/** How the conformance kit tries this driver: on its own sample. */
export default conformance({
	fixture: { sample: true, settings: { connectTimeoutSeconds: 2 } },
	can: {
		authenticate: 'The sample accepts every login.',
		pageWhileWriting: 'The first page is read before the view of the other pages is opened.',
		cancelStatements: 'No request to the sample takes long.',
	},
	table: 'books',
	edits: {
		table: 'books',
		insert: { title: 'A book of the conformance kit', pages: 12 },
		update: { title: 'Another book of the conformance kit' },
		values: { title: ['', ' ', '🚂', '"quoted"', '\n'], barcode: [{ number: '17144233728206122483' }], pages: [null] },
	},
	statements: {
		read: ['GET /books/_search\n{"size": 2}', 'POST /books/_count', 'GET /_cat/indices?format=json'],
		write: ['POST /books/_doc\n{"title": "New"}', 'PUT /books/_doc/1\n{"title": "Replaced"}'],
		destructive: ['POST /books/_delete_by_query\n{"query": {"match_all": {}}}', 'DELETE /places'],
		broken: ['GET', 'books', 'GRAB /books'],
		failing: 'GET /nothing/_search',
	},
})
