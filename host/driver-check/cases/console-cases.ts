import { type Cell, type ConsoleResult, isCutCell, type ResultOrder, type Sort } from '@roundhouse/kit'
import { messageOf } from '../../../base/errors.ts'
import { CaseFailure, DoesNotApply, notGiven } from '../findings.ts'
import type { Lab } from '../lab.ts'
import { stateOf, steadyCells, testTable, unfilteredQuery } from '../rows.ts'
import { attacks } from './attacks.ts'
import { rehearsing } from './rehearsals.ts'
import type { RunsOf } from './run.ts'
import {
	disguises,
	examplesOf,
	onlyStatement,
	quoted,
	rankOf,
	ranks,
	run,
	statementIn,
	statementsOf,
	verdictsOf,
} from './statements.ts'

/** Statements of the console, and whether their verdicts are true. */

const analyseLimitMs = 5_000
const cancelAfterMs = 300
const cancelLimitMs = 1_000
const megabyte = 1024 * 1024
const mostSorted = 200
type Row = readonly Cell[]
/** Texts that end a value, or mean something, where they are written into a statement. */
const hostileValues = [
	"'); drop table x --",
	'"',
	'`',
	'\\',
	'$1',
	':a',
	'?',
	'{{other}}',
	'/* ',
	"\n\n'; x",
	' two  words ',
	'',
	'🚂',
]
/** No statement in any language. */
const garbage = ['\u0000', '\ud800', '((((', '\u200b\u200b?', '🚂🚂🚂']

/** The text of a value as the window has it; `null` without one. */
function plainText(cell: Cell): string | null {
	if (cell === null || (typeof cell === 'object' && 'missing' in cell)) return null
	return typeof cell === 'object' && 'number' in cell ? cell.number : String(cell)
}

/** Whether the numbers of a column go up or down. Where rows without one stand is the engine's choice. */
function isInOrder(rows: readonly Row[], at: number, direction: Sort['direction']): boolean {
	const texts = rows.map(row => plainText(row[at] ?? null)).filter(text => text !== null)
	const steps = texts.slice(1).map((text, index) => compareNumbers(texts[index] ?? '', text))
	return steps.every(step => (direction === 'asc' ? step <= 0 : step >= 0))
}

/** Whole numbers are compared with all their digits. */
function compareNumbers(one: string, other: string): number {
	const areWhole = [one, other].every(text => /^-?\d+$/.test(text))
	const [a, b] = areWhole ? [BigInt(one), BigInt(other)] : [Number(one), Number(other)]
	return a < b ? -1 : a > b ? 1 : 0
}

/** Whether two lists have the same rows, in whatever order. */
function sameRows(some: readonly Row[], others: readonly Row[]): boolean {
	const texts = (rows: readonly Row[]) => rows.map(row => JSON.stringify(row)).sort()
	return JSON.stringify(texts(some)) === JSON.stringify(texts(others))
}

export const consoleCases: RunsOf<'console'> = {
	'console.verdicts': async (lab, report) => {
		const examples = examplesOf(lab)
		for (const { text, access } of examples) {
			const verdicts = await verdictsOf(lab, text, report)
			const place = `analyse ${quoted(text)}`
			const [verdict] = verdicts
			if (!verdict || verdicts.length > 1)
				report(place, `It is one statement, but there are ${verdicts.length} verdicts.`)
			else if (verdict.fault) report(place, `It cannot be run: ${verdict.fault.message}`)
			else if (verdict.access !== access)
				report(place, `The verdict is ${verdict.access}, the statement is a ${access}.`)
		}
		const together = examples.map(({ text }) => text).join(statementsOf(lab).separator ?? '\n\n')
		const verdicts = await verdictsOf(lab, together, report)
		if (verdicts.length !== examples.length)
			report(`analyse ${quoted(together)}`, `There are ${verdicts.length} verdicts for ${examples.length} statements.`)
	},
	'console.offsets': async (lab, report) => {
		const [mark] = lab.subject.manifest.console.lineComments
		const before = `${mark === undefined ? '' : `${mark} 🚂 café 日本`}\r\n\r\n`
		for (const { text } of examplesOf(lab)) {
			const [alone] = await verdictsOf(lab, text, report)
			const [behind] = await verdictsOf(lab, before + text, report)
			if (!alone) continue
			const [expected, cut] = [statementIn(text, alone).text, behind && statementIn(before + text, behind).text]
			if (cut !== expected)
				report(
					`analyse ${quoted(before + text)}`,
					`The statement is ${quoted(expected)}, but the offsets cut out ${quoted(cut ?? '')}.`,
				)
		}
	},
	'console.disguise': async (lab, report) => {
		const writes = examplesOf(lab).filter(({ access }) => access !== 'read')
		if (writes.length === 0) throw notGiven('example of a write', "`write: ['add a']` to `statements`")
		for (const example of writes) {
			for (const text of disguises(example, lab)) {
				const verdicts = await verdictsOf(lab, text, report)
				const runnable = verdicts.filter(({ fault }) => fault === undefined)
				const highest = Math.max(...runnable.map(({ access }) => rankOf(access)))
				if (runnable.length > 0 && highest < rankOf(example.access))
					report(
						`analyse ${quoted(text)}`,
						`The verdict is ${ranks[highest]}, but it is a ${example.access} without its disguise.`,
					)
			}
		}
	},
	'console.garbage': async (lab, report) => {
		for (const text of [...(statementsOf(lab).broken ?? []), ...garbage]) {
			for (const { access, fault } of await verdictsOf(lab, text, report))
				if (access === 'read' && !fault)
					report(`analyse ${quoted(text)}`, 'A text that is no statement is called a read.')
		}
	},
	'console.large': async (lab, report) => {
		const [first = 'x'] = lab.file.statements?.read ?? []
		const separator = lab.file.statements?.separator ?? '\n\n'
		const texts = {
			'10,000 brackets': '('.repeat(10_000),
			'1,000 statements': `${first}${separator}`.repeat(1_000),
			'a megabyte in one line': 'x'.repeat(megabyte),
		}
		for (const [what, text] of Object.entries(texts)) {
			const startedAt = performance.now()
			const refused = await lab.refusal(() => verdictsOf(lab, text, report))
			const tookMs = Math.round(performance.now() - startedAt)
			if (refused?.code === 'internal_failure' || refused?.code === 'not_connected')
				report(`analyse ${what}`, refused.message)
			if (tookMs > analyseLimitMs) report(`analyse ${what}`, `It took ${tookMs} ms, the limit is ${analyseLimitMs}.`)
		}
	},
	'console.read': async (lab, report) => {
		for (const text of statementsOf(lab).read) {
			const statement = await onlyStatement(lab, text)
			const { body, fault } = await run(lab, statement, { maxRows: 1 })
			const place = `run ${quoted(text)}`
			if (fault) report(place, `The engine refuses it: ${fault.message}`)
			if (body.view === 'rows' && body.rows.length > 1)
				report(place, `It returns ${body.rows.length} rows, but one was asked for.`)
		}
	},
	'console.truth': async (lab, report) => {
		const examples = examplesOf(lab)
		const texts = examples.flatMap(example =>
			example.access === 'read' ? [example.text] : [example.text, ...disguises(example, lab)],
		)
		const before = await stateOf(lab)
		for (const text of texts) {
			const reads = (await verdictsOf(lab, text, report)).filter(({ access, fault }) => access === 'read' && !fault)
			// An error is no fault here: only a change is.
			for (const verdict of reads) await lab.refusal(() => run(lab, statementIn(text, verdict), { maxRows: 10 }))
			if (reads.length === 0 || (await stateOf(lab)) === before) continue
			return report(`run ${quoted(text)}`, 'It is called a read, and running it has changed data.')
		}
	},
	'console.attacks': async (lab, report) => {
		const { keywords } = lab.subject.manifest.console
		if (!keywords.some(word => word.toLowerCase() === 'select')) throw new DoesNotApply('The language has no `select`.')
		const table = lab.file.edits?.table ?? (await testTable(lab))
		const column = Object.keys(lab.file.edits?.update ?? {})[0] ?? 'id'
		const { sort, ...query } = unfilteredQuery(table)
		const count = async () => (await lab.call('countRows', { query })).value
		const [before, rows] = [await stateOf(lab), await count()]
		let last = ''
		for (const attack of attacks) {
			const text = attack.replaceAll(/\bT\b/g, table).replaceAll(/\bC\b/g, column)
			const reads = (await verdictsOf(lab, text, report)).filter(({ access, fault }) => access === 'read' && !fault)
			if (reads.length === 0) continue
			// An error is no fault here: only a change is.
			for (const verdict of reads) await lab.refusal(() => run(lab, statementIn(text, verdict), { maxRows: 10 }))
			last = text
			if ((await count()) !== rows) break
		}
		if ((await stateOf(lab)) !== before)
			report(`run ${quoted(last)}`, 'It, or an attack before it, is called a read, and running it has changed data.')
	},
	'console.permitted': async (lab, report) => {
		const writes = examplesOf(lab).filter(({ access }) => access !== 'read')
		if (writes.length === 0) throw notGiven('example of a write', "`write: ['add a']` to `statements`")
		const before = await stateOf(lab)
		for (const { text } of writes) {
			const statement = await onlyStatement(lab, text)
			const refused = await lab.refusal(() => run(lab, { ...statement, access: 'read' }, { maxRows: 1 }))
			if (refused?.code !== 'denied')
				report(`run ${quoted(text)}`, `As a read it fails with ${refused?.code ?? 'nothing'}, not with denied.`)
		}
		if ((await stateOf(lab)) !== before) report('run', 'A write that was permitted as a read has changed data.')
	},
	'console.error': async (lab, report) => {
		const { failing } = statementsOf(lab)
		if (failing === undefined)
			throw notGiven('example of a failing statement', "`failing: 'remove 99'` to `statements`")
		const statement = await onlyStatement(lab, failing)
		const refused = await lab.refusal(() => run(lab, statement, { maxRows: 1 }))
		if (!refused) report(`run ${quoted(failing)}`, 'It succeeds.')
		else if (refused.code === 'internal_failure') report(`run ${quoted(failing)}`, 'The driver failed unexpectedly.')
	},
	'console.place': async (lab, report) => {
		const { failing } = statementsOf(lab)
		if (failing === undefined)
			throw notGiven('example of a failing statement', "`failing: 'remove 99'` to `statements`")
		const statement = await onlyStatement(lab, failing)
		const refused = await lab.refusal(() => run(lab, statement, { maxRows: 1 }))
		if (refused?.at === undefined) throw new DoesNotApply('The example of a failing statement fails without a place.')
		if (refused.at >= statement.text.length)
			report(
				`run ${quoted(failing)}`,
				`It fails at ${refused.at}, but the statement has ${statement.text.length} characters.`,
			)
	},
	'console.cancel': async (lab, report) => {
		const { slow } = statementsOf(lab)
		if (slow === undefined) throw notGiven('example of a slow statement', "`slow: 'sleep 10'` to `statements`")
		const statement = await onlyStatement(lab, slow)
		const abort = new AbortController()
		const ended = lab.refusal(() => run(lab, statement, { maxRows: 1, signal: abort.signal }))
		let abortedAt = Number.POSITIVE_INFINITY
		setTimeout(() => {
			abortedAt = performance.now()
			abort.abort()
		}, cancelAfterMs)
		const refused = await ended
		const tookMs = Math.round(performance.now() - abortedAt)
		const place = `run ${quoted(slow)}`
		if (tookMs === Number.NEGATIVE_INFINITY)
			return report(place, `It ended within ${cancelAfterMs} ms, so it is not slow.`)
		if (tookMs > cancelLimitMs)
			report(place, `It ended ${tookMs} ms after it was cancelled, the limit is ${cancelLimitMs}.`)
		if (refused?.code !== 'user_cancelled')
			report(place, `A cancelled statement fails with ${refused?.code ?? 'nothing'}, not with user_cancelled.`)
		await lab.call('listTables', {})
	},
	'console.leftovers': async (lab, report) => {
		const { leftover } = statementsOf(lab)
		if (!leftover)
			throw notGiven('example of a statement that leaves something behind', '`leftover: { set, show }` to `statements`')
		const show = () => answerTo(lab, leftover.show)
		const before = await show()
		// A driver may refuse it in the console.
		await lab.refusal(() => answerTo(lab, leftover.set))
		const after = await show()
		if (after !== before)
			report(`run ${quoted(leftover.show)}`, `After ${quoted(leftover.set)} it answers ${after} in place of ${before}.`)
	},
	'console.sort': async (lab, report) => {
		if (!lab.subject.manifest.console.canSort) throw new DoesNotApply('The manifest has no canSort.')
		let isTried = false
		for (const { text } of examplesOf(lab).filter(({ access }) => access === 'read')) {
			const statement = await onlyStatement(lab, text)
			const { body: whole } = await run(lab, statement, { maxRows: mostSorted })
			if (whole.view !== 'rows' || whole.isTruncated || whole.rows.length < 2) continue
			const byFirst = { columns: whole.columns.length, by: [{ at: 0, direction: 'asc' as const }] }
			const refused = await lab.refusal(() => run(lab, statement, { maxRows: mostSorted, sort: byFirst }))
			// For example EXPLAIN, which is no query.
			if (refused?.code === 'unsupported') continue
			isTried = true
			const rowsOf = async (sort: ResultOrder) => {
				const { body } = await run(lab, statement, { maxRows: mostSorted, sort })
				return body.view === 'rows' ? body.rows : []
			}
			const all = { columns: whole.columns.length, by: [] }
			for (const [at, { name, kind }] of whole.columns.entries()) {
				if (kind === 'json' || kind === 'binary' || kind === 'other') continue
				const place = `run ${quoted(text)}, column ${quoted(name)}`
				for (const direction of ['asc', 'desc'] as const) {
					const sorted = await rowsOf({ ...all, by: [{ at, direction }] })
					if (!sameRows(sorted, whole.rows)) report(place, `In the order ${direction}, the rows are others.`)
					else if (kind === 'number' && !isInOrder(sorted, at, direction))
						report(place, `They are not in the order ${direction}.`)
				}
				for (const cell of new Set(whole.rows.map(row => row[at] ?? null))) {
					if (isCutCell(cell)) continue
					const value = plainText(cell)
					const [has, hasNot] = [[], []] as [Row[], Row[]]
					for (const row of whole.rows) (plainText(row[at] ?? null) === value ? has : hasNot).push(row)
					for (const [is, expected] of [
						['same', has],
						['other', hasNot],
					] as const)
						if (!sameRows(await rowsOf({ ...all, where: [{ at, is, text: value, kind }] }), expected))
							report(
								place,
								`Rows with ${is === 'same' ? '' : 'another value than '}${quoted(String(value))} are others.`,
							)
				}
			}
		}
		if (!isTried) throw notGiven('example of a read with two rows', "`read: ['list a']` to `statements`")
	},
	'console.parameters': async (lab, report) => {
		if (!lab.subject.manifest.console.takesParameters) throw new DoesNotApply('The manifest has no takesParameters.')
		const { parameters: example } = statementsOf(lab)
		if (!example)
			throw notGiven(
				'example of a statement with a value apart from its text',
				"`parameters: { text: 'echo {{value}}', name: 'value' }` to `statements`",
			)
		const statement = await onlyStatement(lab, example.text)
		const place = `run ${quoted(example.text)}`
		if (statement.access !== 'read' || statement.fault)
			return report(place, 'With its place it is no read that can run.')
		const before = await stateOf(lab)
		for (const value of hostileValues) {
			const parameters = { [example.name]: value }
			const { body } = await run(lab, { ...statement, parameters }, { maxRows: 2 }).catch(error => {
				throw new CaseFailure(place, `With the value ${quoted(value)} it fails: ${messageOf(error)}`)
			})
			const [row, ...others] = body.view === 'rows' ? body.rows : []
			if (row?.[0] !== value || row.length > 1 || others.length > 0)
				report(place, `With the value ${quoted(value)} it answers ${quoted(JSON.stringify(body))}.`)
		}
		if ((await stateOf(lab)) !== before) report(place, 'A value has changed data.')
	},
	'console.session': async (lab, report) => {
		const { transaction } = statementsOf(lab)
		if (!transaction)
			throw notGiven(
				'example of a transaction',
				'`transaction: { begin, write, read, commit, rollback }` to `statements`',
			)
		const { begin, write, read, commit, rollback } = transaction
		const before = await answerTo(lab, read)
		const others = async (when: string, session: number) => {
			for (const [who, other] of [
				['the console', undefined],
				['another session', session + 1],
			] as const) {
				if ((await answerTo(lab, read, other)) !== before)
					report(`run ${quoted(read)}`, `${when}, ${who} sees the write.`)
			}
			await lab.call('closeSession', { session: session + 1 })
		}
		const open = async (session: number) => {
			for (const text of [begin, write]) {
				const { transaction } = await inSession(lab, text, session)
				if (transaction !== 'open')
					report(
						`run ${quoted(text)}`,
						`Its result says that the transaction is ${transaction ?? 'not there'}, not open.`,
					)
			}
			if ((await answerTo(lab, read, session)) === before)
				report(`run ${quoted(read)}`, `In the transaction it does not show what ${quoted(write)} has changed.`)
			await others('Before the commit', session)
		}
		const end = async (text: string, session: number) => {
			const { transaction } = await inSession(lab, text, session)
			if (transaction) report(`run ${quoted(text)}`, `Its result says that the transaction is still ${transaction}.`)
		}
		const [rolledBack, closed, committed] = [lastSession + 1, lastSession + 3, lastSession + 5]
		lastSession += 6
		await open(rolledBack)
		await end(rollback, rolledBack)
		if ((await answerTo(lab, read, rolledBack)) !== before)
			report(`run ${quoted(rollback)}`, 'The write is still there.')
		await others('After the rollback', rolledBack)
		await open(closed)
		await lab.call('closeSession', { session: closed })
		await others('After the session was closed', closed)
		await open(committed)
		await end(commit, committed)
		if ((await answerTo(lab, read)) === before) report(`run ${quoted(commit)}`, 'The write is not there.')
		for (const session of [rolledBack, committed]) await lab.call('closeSession', { session })
	},
	'console.trigger': rehearsing('trigger'),
	'console.cascade': rehearsing('cascade'),
	'console.sequence': rehearsing('sequence'),
}

/** Numbers of sessions in the shared process. The host's own count from 1. */
let lastSession = 1_000_000

/** Runs a text with one statement in a session. */
async function inSession(lab: Lab, text: string, session: number | undefined): Promise<ConsoleResult> {
	const statement = await onlyStatement(lab, text)
	return lab.read('runConsole', { statement, maxRows: 1_000, ...(session !== undefined && { session }) })
}

/** What a statement answers, for comparison. */
async function answerTo(lab: Lab, text: string, session?: number): Promise<string> {
	const { status, body } = await inSession(lab, text, session)
	const steady = body.view === 'rows' && { rows: body.rows.map(cells => steadyCells(body.columns, cells)) }
	return JSON.stringify([status, { ...body, ...steady }])
}
