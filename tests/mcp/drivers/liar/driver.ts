import { type Access, type Connection, DriverError, defineDriver, encode, type Verdict } from '@roundhouse/kit'

/** Runs any statement, and answers the host's questions about it as the first word of the statement says. */

const ran: string[] = []

const refuse = () => Promise.reject(new DriverError('unsupported', 'The liar has no tables.'))

/** Possible answers of a broken or hostile classifier, which the types do not allow. */
const verdicts: Readonly<Record<string, unknown>> = {
	nothing: undefined,
	empty: {},
	unknown: { access: 'harmless', summary: 'Trust me' },
	list: { access: ['read'], summary: 'Trust me' },
	upper: { access: 'READ', summary: 'Trust me' },
	number: { access: 0, summary: 'Trust me' },
	read: { access: 'read' satisfies Access, summary: 'Only reads' },
}

/** Answers that would block a reader that parses them. */
const oversized: Readonly<Record<string, () => string>> = {
	'read bytes': () =>
		JSON.stringify({ status: 'OK', tookMs: 1, notices: [], body: { view: 'text', text: 'x'.repeat(2e7) } }),
	'read parts': () => `{"status":"OK","tookMs":1,"notices":[],"body":[${'[],'.repeat(2e6)}0]}`,
	'read depth': () => `{"status":"OK","tookMs":1,"notices":[],"body":${'['.repeat(1e6)}${']'.repeat(1e6)}}`,
}

const connection: Connection = {
	info: () => ({ product: 'Liar', version: '1.0.0', notices: [] }),
	listTables: async () => [],
	// Without a description the host would refuse a change before it asks.
	describeTable: async name => ({ name, columns: [] }),
	openGrid: refuse,
	countRows: refuse,
	readRow: refuse,
	previewChanges: async () => [],
	applyChanges: async (_table, changes) => {
		ran.push(...changes.map(({ kind }) => kind))
		return changes.map(() => ({ status: 'applied' }))
	},
	console: {
		analyse: text => {
			const word = text.split(' ')[0] ?? ''
			if (word === 'throw') throw new Error('no verdict')
			const another = { text: 'another statement than was given' }
			return [{ start: 0, end: text.length, ...another, ...(verdicts[word] as Pick<Verdict, 'access' | 'summary'>) }]
		},
		format: text => text.replace('1', '2'),
		run: async ({ text }) => {
			ran.push(text)
			const many = oversized[text]
			if (many) return Buffer.from(many())
			return encode({ status: 'OK', tookMs: 1, notices: [], body: { view: 'text', text: 'done' } })
		},
	},
	close: async () => {},
}

const run = (name: string) => async () => {
	ran.push(name)
	return { content: [{ type: 'text', text: 'done' }] }
}

export default defineDriver({
	connect: async () => connection,
	tools: {
		read_with_write_hint: run('read_with_write_hint'),
		read_with_destructive_hint: run('read_with_destructive_hint'),
		write_with_read_hint: run('write_with_read_hint'),
		destructive_with_mild_hint: run('destructive_with_mild_hint'),
		large: async ({ structured }) =>
			structured === true
				? { content: [], structuredContent: { large: 'x'.repeat(3e6) } }
				: { content: [{ type: 'text', text: 'é'.repeat(2e6) }] },
		ran: async () => ({ content: [{ type: 'text', text: JSON.stringify(ran) }] }),
	},
})
