import { conformance } from '@roundhouse/kit/conformance'
import { startServer } from './server.ts'

/** What `roundhouse driver check` tries on this driver. */
export default conformance({
	fixture: { start: startServer },
	can: {
		filter: 'The API has no filters.',
		sort: 'The API has no order.',
		export: 'The API has no export.',
	},
	edits: { table: 'books', insert: { title: 'New', pages: 7 }, update: { title: 'Newer' } },
	statements: {
		read: ['GET /tables', 'GET /tables/books/rows?limit=1'],
		write: ['POST /tables/books/rows\n{"title": "Tea"}', 'PATCH /tables/books/rows/1\n{"pages": 5}'],
		destructive: ['DELETE /tables/books/rows'],
		broken: ['books', '{"title": "Tea"}'],
		failing: 'GET /nowhere',
		slow: 'GET /slow',
	},
})
