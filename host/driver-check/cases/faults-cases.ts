import { setTimeout as sleep } from 'node:timers/promises'
import type { ChangeOutcome } from '@roundhouse/kit'
import { DoesNotApply } from '../findings.ts'
import { readRows, unfilteredQuery } from '../rows.ts'
import { editsOf } from './edits-cases.ts'
import { until } from './engine-address.ts'
import { openRelay } from './relay.ts'
import type { RunsOf } from './run.ts'

/** An engine that closes connections, or does not answer. */

const cancelAfterMs = 300
const cancelLimitMs = 1_000

export const faultsCases: RunsOf<'faults'> = {
	'faults.sockets': async (lab, report) => {
		await using relay = await openRelay(lab)
		await relay.session.call('listTables', {})
		await relay.session.close()
		await until(() => relay.openSockets === 0)
		if (relay.openSockets > 0) report('close', `${relay.openSockets} sockets are open after the connection was closed.`)
	},
	'faults.restart': async (lab, report) => {
		await using relay = await openRelay(lab)
		await relay.session.call('listTables', {})
		relay.cutAll()
		const first = await lab.refusal(() => relay.session.call('listTables', {}))
		if (first && first.code !== 'not_connected')
			report(
				'listTables',
				`After the engine closed its connections, it fails with ${first.code}, not with not_connected.`,
			)
		const second = await lab.refusal(() => relay.session.call('listTables', {}))
		if (second) report('listTables', `The second call after the engine closed its connections fails: ${second.message}`)
	},
	'faults.held': async (lab, report) => {
		await using relay = await openRelay(lab)
		relay.set('hold')
		const abort = new AbortController()
		const ended = lab.refusal(() => relay.session.call('listTables', {}, { signal: abort.signal }))
		await sleep(cancelAfterMs)
		const abortedAt = performance.now()
		abort.abort()
		const refused = await ended
		const tookMs = Math.round(performance.now() - abortedAt)
		relay.set('pass')
		if (!refused) throw new DoesNotApply('The driver lists tables without asking the engine.')
		if (tookMs > cancelLimitMs)
			report('listTables', `Without an answer of the engine, it ended ${tookMs} ms after it was cancelled.`)
	},
	'faults.edit': async (lab, report) => {
		const { table, insert } = editsOf(lab)
		await using relay = await openRelay(lab)
		const before = await readRows(lab, unfilteredQuery(table))
		relay.set('cut')
		let outcomes: readonly ChangeOutcome[] = []
		const changes = [{ kind: 'insert', values: insert }] as const
		const refused = await lab.refusal(async () => {
			outcomes = await relay.session.call('applyChanges', { table, changes })
		})
		relay.set('pass')
		const known = new Set(before.rows.map(({ id }) => id))
		const { rows } = await readRows(lab, unfilteredQuery(table))
		const inserted = rows.filter(({ id }) => !known.has(id))
		const place = `applyChanges "${table}"`
		if (inserted.length > 1) report(place, `An insertion whose connection was cut was sent ${inserted.length} times.`)
		const status = outcomes[0]?.status ?? refused?.code ?? 'nothing'
		// Before the change itself was sent, a refusal is the truth.
		const isTrue = inserted.length === 0 ? status !== 'applied' : status === 'unknown' || status === 'applied'
		if (!isTrue)
			report(
				place,
				`The row was ${inserted.length ? '' : 'not '}inserted, but the outcome of the cut connection is ${status}.`,
			)
		const deletions = inserted.map(({ id }) => ({ kind: 'delete', rowId: id }) as const)
		if (deletions.length > 0) await lab.refusal(() => lab.call('applyChanges', { table, changes: deletions }))
	},
}
