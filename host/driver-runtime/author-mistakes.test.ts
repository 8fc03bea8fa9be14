import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DriverError } from '@roundhouse/kit'
import { kitVersion } from '@roundhouse/kit/version'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { messageOf } from '../../base/errors.ts'
import { packDriver } from '../../registry/publisher/pack.ts'
import { type Edit, writeFromTemplate } from '../../tests/support/driver-check.ts'
import { nowhere } from '../../tests/support/network-access.ts'
import { apiWarnings } from '../commands/driver/api-warning.ts'
import { unfilteredQuery } from '../driver-check/rows.ts'
import { prepareSubject } from '../driver-check/subject.ts'
import { decodeAnswer } from '../mcp/access/decode-answer.ts'
import { apiFaultOf } from '../plugin-loader/choose-release.ts'
import { DriverCalls } from './driver-calls.ts'
import { DriverProcess } from './driver-process.ts'

/**
 * Mistakes of driver authors, each made in the minimal template and packed as a release: what the author reads at the
 * command line or in the log, and what the user reads.
 */

/** Code in place of the answer of the method that is called. */
const listing = (code: string): Edit => [
	'driver.ts',
	'listTables: async () => [{ name: table, rowCount: notes.count }]',
	`listTables: async () => { ${code} }`,
]
const page = (code: string): Edit => [
	'driver.ts',
	'page: async ({ offset, limit }) =>',
	`page: async ({ offset, limit }) => Date.now() > 0 ? ${code} :`,
]
const atLoad = (code: string): Edit => ['notes.ts', 'export const table', `${code}\nexport const table`]
const manifest = (text: string, instead: string): Edit => ['package.json', text, instead]

interface Mistake {
	readonly edit: Edit
	/** In the log or the error of the command. Absent if the sentence of the user is all there is. */
	readonly author?: string
	/** Absent if there is no release, so that no user meets the driver. */
	readonly user?: string
}

const incorrect = 'The driver Subject answered incorrectly. Nothing was changed. Report this to its publisher: '
const mayHaveChanged = incorrect.replace('Nothing was changed', 'It may have changed data all the same')
const unexpected = 'The driver Subject failed unexpectedly. The log has the reason.'
const unloaded = 'The driver Subject did not start: its module could not be loaded: '

const mistakes: Readonly<Record<string, Mistake>> = {
	'unknown manifest key': {
		edit: manifest('"tableNoun"', '"tableNouns"'),
		author: 'Unrecognized key: "tableNouns"',
	},
	'API ^2.0.0': {
		edit: manifest(`"roundhouse": "^${kitVersion}"`, '"roundhouse": "^2.0.0"'),
		author: `Warning: the driver needs driver API ^2.0.0, this is ${kitVersion}. This host will not install it.`,
		user: `needs driver API ^2.0.0, this is ${kitVersion}`,
	},
	'missing file': {
		edit: manifest('"license": "MIT",', '"license": "MIT", "files": ["gone"],'),
		author: 'ENOENT: no such file or directory',
	},
	'missing import': {
		edit: ['driver.ts', "'./notes.ts'", "'./gone.ts'"],
		author: 'driver.ts:3:38: ERROR: Could not resolve "./gone.ts"',
	},
	'throws at load': {
		edit: atLoad("throw new Error('too early')"),
		author: 'Error: too early (notes.ts:14:7)',
		user: `${unloaded}Error: too early (notes.ts:14:7).`,
	},
	"throws 'nope' at load": {
		edit: atLoad("throw 'nope'"),
		author: 'its module could not be loaded: it threw "nope", which is not an Error (notes.ts:14:1)',
		user: `${unloaded}it threw "nope", which is not an Error (notes.ts:14:1).`,
	},
	'no default export': {
		edit: ['driver.ts', 'export default', 'void '],
		author: 'its module exports no driver. Write: export default defineDriver({ connect, … })',
		user: 'The driver Subject did not start: its module exports no driver.',
	},
	'node:sqlite': {
		edit: atLoad("import { DatabaseSync } from 'node:sqlite'\nvoid DatabaseSync"),
		author: 'No such built-in module: node:sqlite, which no driver may use (notes.ts:14:30)',
		user: `${unloaded}Error: No such built-in module: node:sqlite, which no driver may use (notes.ts:14:30).`,
	},
	'a table without a name': {
		edit: listing('return [{ name: 5 as never }]'),
		author: 'wrong answer: listTables[0].name: 5 is not of the type string',
		user: `${incorrect}listTables[0].name: 5 is not of the type string.`,
	},
	'tables undefined': {
		edit: listing('return undefined as never'),
		author: 'wrong answer: listTables: null is not of the type array',
		user: `${incorrect}listTables: null is not of the type array.`,
	},
	'page undefined': {
		edit: page('undefined as never'),
		author: 'wrong answer: openGrid: null',
		user: `${incorrect}openGrid: null`,
	},
	// The host does not read the rows of a page. The window and the tools check them, and tell the host.
	'2 cells of 3': {
		edit: ['notes.ts', 'cells: [id, text, stars]', 'cells: [id, text]'],
		author: 'wrong answer: openGrid.rows[0].cells: 2 cells for 3 columns',
		user: `${incorrect}openGrid.rows[0].cells: 2 cells for 3 columns.`,
	},
	'row without cells': {
		edit: ['notes.ts', 'cells: [id, text, stars],', ''],
		author: 'wrong answer: openGrid.rows[0].cells: nothing is not an array',
		user: `${incorrect}openGrid.rows[0].cells: nothing is not an array.`,
	},
	'70 MB page': {
		edit: page('Buffer.alloc(70 * 1024 * 1024)'),
		user: 'The answer has 70 MB, but the limit is 64 MB. Request less data.',
	},
	'bad verdict': {
		edit: ['console.ts', "list: 'read'", "list: 'readonly' as never"],
		author: 'wrong answer: analyse[0].access: "readonly" is none of read, write, destructive',
		user: `${incorrect}analyse[0].access: "readonly" is none of read, write, destructive.`,
	},
	'tool content a string': {
		edit: [
			'driver.ts',
			"content: [{ type: 'text', text: JSON.stringify(structuredContent) }]",
			"content: 'five' as never",
		],
		author: 'wrong answer: callTool.content: "five" is not an array',
		user: `${mayHaveChanged}callTool.content: "five" is not an array.`,
	},
	"throw 'nope'": {
		edit: listing("throw 'nope'"),
		author: 'it threw "nope", which is not an Error (driver.ts:10:35), in listTables (driver.ts:10:3)',
		user: unexpected,
	},
	'throws an object': {
		edit: listing('const fault = { code: 7 }; throw fault'),
		author: 'it threw {"code":7}, which is not an Error, in listTables (driver.ts:10:3)',
		user: unexpected,
	},
	'throws an error': {
		edit: listing("throw new TypeError('no list')"),
		author: 'TypeError: no list (driver.ts:10:35)',
		user: unexpected,
	},
	'node:net': {
		edit: listing(
			"const net = await import('node:net'); return new Promise((_, reject) => net.connect(1, '127.0.0.1').on('error', reject))",
		),
		author: 'it opens a socket itself. Use context.connect and `permissions.network` of the manifest (driver.ts:10:54)',
		user: unexpected,
	},
	'writes a file': {
		edit: listing("(await import('node:fs')).writeFileSync('x', ''); return []"),
		author: 'it writes a file. It may write only in context.scratchFolder (driver.ts:10:55)',
		user: unexpected,
	},
	'child process': {
		edit: listing("(await import('node:child_process')).execFileSync('id'); return []"),
		author: 'it starts a program, which no driver may do (driver.ts:10:66)',
		user: unexpected,
	},
	'unhandled rejection': {
		edit: listing("void Promise.reject(new Error('left alone')); return new Promise(() => {})"),
		author: '/package/driver.ts:10:49)',
		user: 'The driver Subject was lost: it ended (exit code 1). The next call starts it again.',
	},
	// Without using the processor, unlike the loop in driver-process.test.ts.
	'a wait that blocks': {
		edit: listing('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'),
		user: 'The driver Subject was lost: it stopped answering. The next call starts it again.',
	},
	'more memory than memoryMb': {
		edit: listing(
			'const all: Buffer[] = []; for (;;) { all.push(Buffer.alloc(1e6, 1)); await new Promise(resolve => setTimeout(resolve, 1)) }',
		),
		user: 'The driver Subject was lost: it used more than its 128 MB of memory. The next call starts it again.',
	},
	'more memory at once': {
		edit: listing('const all = []; for (;;) all.push(new Array(1e6).fill({}))'),
		user: 'it ended (aborted, most likely at the 128 MB of permissions.memoryMb). The next call starts it again.',
	},
}

let folder: string
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'roundhouse-mistakes-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const terms = { minHostVersion: '0.1.0', publishedAt: new Date().toISOString() }

/** Packs the driver and uses it. Returns what the author and the user read. */
async function use(name: string, edit: Edit) {
	const at = join(folder, name.replaceAll(/\W+/g, '-'))
	await writeFromTemplate('minimal', at, [edit])
	const lines: string[] = []
	const log = { info: (line: string) => void lines.push(line), warn: (line: string) => void lines.push(line) }
	const read = async () => {
		await using subject = await prepareSubject(at, () => packDriver(at, terms))
		const api = subject.manifest.engines.roundhouse
		lines.push(...apiWarnings({ api }))
		const apiFault = apiFaultOf(api)
		if (apiFault !== undefined) return apiFault
		try {
			const driver = await DriverProcess.start(subject.program, log)
			try {
				const reach = driver.network.addDialer(nowhere)
				const { connection } = await driver.call('connect', { settings: {}, isReadOnly: false, reach })
				const opening = { connection, grid: 1, query: unfilteredQuery('notes'), offset: 0, limit: 9 }
				await driver.call('listTables', { connection })
				decodeAnswer('openGrid', await driver.call('openGrid', opening), driver)
				await driver.call('analyse', { connection, text: 'list' })
				const tool = {
					connection,
					name: 'count_notes',
					access: 'read',
					args: '{}',
					context: '{"clientCapabilities":{},"inputResponses":{}}',
				} as const
				decodeAnswer('callTool', await driver.call('callTool', tool), driver)
			} finally {
				await driver.stop()
			}
		} catch (error) {
			return messageOf(error)
		}
		return 'nothing'
	}
	const user = await read().catch(error => {
		lines.push(messageOf(error))
		return undefined
	})
	return { author: lines.join('\n'), user }
}

test.each(Object.entries(mistakes))('%s', async (name, { edit, author = '', user }) => {
	const read = await use(name, edit)
	expect(read.author).toContain(author)
	// The manifest has its own words for what Node refuses.
	expect(read.author).not.toMatch(/--allow-\w/)
	expect(read.user ?? '').toContain(user ?? '')
	expect(read.user === undefined).toBe(user === undefined)
})

test('a method that never answers has a limit, which is said with its number', async () => {
	vi.useFakeTimers()
	try {
		const calls = new DriverCalls(
			'Subject',
			() => {},
			(_, fault) => new DriverError('internal_failure', fault),
		)
		const listing = expect(calls.call('listTables', { connection: 1 }, {})).rejects.toThrow(
			'The driver Subject did not answer "listTables" within 300 seconds.',
		)
		await vi.advanceTimersByTimeAsync(300_000)
		await listing
	} finally {
		vi.useRealTimers()
	}
})
