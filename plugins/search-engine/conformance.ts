import { conformance } from '@roundhouse/kit/conformance'
import { startTlsServers } from './certificates/tls-servers.ts'

/** How the conformance kit tries this driver: on its own sample. */
export default conformance({
	fixture: { sample: true, settings: { connectTimeoutSeconds: 2 } },
	can: {
		authenticate: 'The sample accepts every login.',
		pageWhileWriting: 'The first page is read before the view of the other pages is opened.',
		cancelStatements: 'No request to the sample takes long.',
	},
	certificates: async ({ hosts }) => {
		const { hostname: host, port } = new URL(`http://${String(hosts).replace(/^https?:\/\//, '')}`)
		const { addressOf, authority, stop } = await startTlsServers({ host, port: Number(port) })
		const verified = { sslMode: 'Verify Identity', caFile: authority }
		return {
			trusted: { ...verified, hosts: addressOf('trusted') },
			unknown: { ...verified, hosts: addressOf('unknown') },
			wrongName: { ...verified, hosts: addressOf('wrongName') },
			none: verified,
			stop,
		}
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
